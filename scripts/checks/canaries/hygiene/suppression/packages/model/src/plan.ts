// @ts-ignore
export const plan: number = 'one';
