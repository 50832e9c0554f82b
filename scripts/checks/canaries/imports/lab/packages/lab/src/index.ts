export const lab = 1;
