import { dirname, join } from 'node:path';

/** Where things lie as the host's commands see them. */
export interface HostView {
  readonly name: string;
  readonly isolation: 'userns' | 'none';
  /** The host's folder of files on the machine. */
  readonly rootfs: string;
  readonly shims: string;
  readonly standIns: string | undefined;
  readonly native: string | undefined;
}

/** A line of the host's own `/etc/passwd`. */
export interface Account {
  readonly user: string;
  readonly home: string;
  readonly shell: string;
}

/** Path on the machine of the folder that stand-ins keep their state in. */
export function stateFolderOf(rootfs: string): string {
  return join(rootfs, 'var/lib/capstan-lab');
}

/** The whole environment of a command on the host: nothing of Capstan's own is inherited. */
export function hostEnvironment(view: HostView, account: Account): Record<string, string> {
  const inside = (path: string): string => (view.isolation === 'userns' ? path : join(view.rootfs, path));
  const path = [
    view.standIns,
    view.shims,
    '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    // Elsewhere than Linux the usual tools may live beside node.
    process.platform === 'linux' ? undefined : dirname(process.execPath),
  ];
  return {
    PATH: path.filter((part) => part !== undefined).join(':'),
    HOME: inside(account.home),
    USER: account.user,
    LOGNAME: account.user,
    SHELL: account.shell,
    HOSTNAME: view.name,
    HOST_ROOT: inside('/'),
    CAPSTAN_LAB_HOST: view.name,
    CAPSTAN_LAB_ISOLATION: view.isolation,
    CAPSTAN_LAB_STATE: inside('/var/lib/capstan-lab'),
    CAPSTAN_LAB_AS: join(view.shims, 'capstan-as'),
    CAPSTAN_LAB_NODE: process.execPath,
    ...(view.native === undefined ? {} : { CAPSTAN_LAB_NATIVE: view.native }),
    ...(view.isolation === 'none' ? { TMPDIR: join(view.rootfs, 'tmp') } : {}),
  };
}
