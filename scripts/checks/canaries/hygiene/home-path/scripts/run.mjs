export const key = '/home/somebody/.ssh/id_ed25519';
