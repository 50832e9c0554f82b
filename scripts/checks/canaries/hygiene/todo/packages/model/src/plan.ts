// TODO the rest
export {};
