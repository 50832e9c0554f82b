import { join } from 'node:path';

/** Every name and path of one lab; whatever carries them is the lab's and nothing else is. */
export interface LabPlace {
  readonly instance: string;
  /** `<cache>/labs/<instance>` */
  readonly folder: string;
  readonly keys: string;
  readonly stateFile: string;
  readonly bridge: string;
  host(name: string, index: number): HostPlace;
  /** Whether a network namespace or nspawn machine belongs to this lab. */
  owns(name: string): boolean;
}

/** The same for one host. */
export interface HostPlace {
  readonly folder: string;
  /** The image of the host's disk, of a fixed size. */
  readonly image: string;
  /** Where that disk is mounted: `up`, `work` and whatever fills it. */
  readonly disk: string;
  readonly root: string;
  readonly log: string;
  /** Also the name of the network namespace. */
  readonly machine: string;
  readonly link: string;
}

// Linux cuts interface names at 15 characters: `cap-` + 6 + `-` + 3.
const INSTANCE = /^[a-z][a-z0-9]{0,5}$/;

/** Throws on an instance name that does not fit: lower-case letter, then at most five letters or digits. */
export function labPlace(cache: string, instance: string): LabPlace {
  if (!INSTANCE.test(instance)) {
    throw new Error(
      `"${instance}" is no name for a lab: a lower-case letter, then at most five letters or digits`,
    );
  }
  const folder = join(cache, 'labs', instance);
  const prefix = `cap-${instance}-`;
  return {
    instance,
    folder,
    keys: join(folder, 'keys'),
    stateFile: join(folder, 'state.json'),
    bridge: `cap-${instance}`,
    host: (name, index) => {
      const own = join(folder, 'hosts', name);
      return {
        folder: own,
        image: join(own, 'disk.img'),
        disk: join(own, 'disk'),
        root: join(own, 'root'),
        log: join(own, 'console.log'),
        machine: `${prefix}${name}`,
        link: `${prefix}${index}`,
      };
    },
    owns: (name) => name.startsWith(prefix),
  };
}
