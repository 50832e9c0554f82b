export type HostPort = number;
export const engine = 1;
