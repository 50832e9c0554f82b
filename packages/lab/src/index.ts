export type { LabHost, LabProvider } from './lab-provider.js';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.js';
export type { HostFaults, SandboxHost } from './sandbox-host.js';
