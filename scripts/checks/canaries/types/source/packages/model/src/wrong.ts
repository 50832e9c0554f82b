export const wrong: number = 'one';
