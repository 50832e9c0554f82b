export const plan = 1;
export type Nothing = null;
