export type { DebianHost } from './debian/debian-host.js';
export {
  type DebianLab,
  type DebianLabName,
  type DebianLabOptions,
  type DebianLabStatus,
  debianLabStatus,
  findDebianLab,
  prepareDebianLab,
  removeDebianLab,
  startDebianLab,
} from './debian/debian-lab.js';
export { DEBIAN_FAULTS, type DebianFault } from './debian/faults.js';
export { whyNoDebianHosts } from './debian/machine-support.js';
export type { LabHost, LabProvider } from './lab-provider.js';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.js';
export type { HostFaults, SandboxHost } from './sandbox-host.js';
