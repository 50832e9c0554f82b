export const url = 'http://localhost:4400/';
