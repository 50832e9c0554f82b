export const wrong: string[] = ['one'];
export const first: string = wrong[0];
