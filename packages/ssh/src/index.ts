export { createSshHosts, type SshHosts, type SshHostsOptions } from './ssh-hosts.js';
