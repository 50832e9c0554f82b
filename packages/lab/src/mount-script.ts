import { join } from 'node:path';

/** What the first process of a host makes of the machine's file system. */
export interface MountPlan {
  readonly name: string;
  readonly rootfs: string;
  /**
   * Where the host's pids go on from. A pid namespace counts from 1, so without this a pid file of the boot
   * before would mostly name a live process of this one, and PostgreSQL refuses to start on such a file.
   */
  readonly firstPid: number;
  /** Folders or files of the machine that stay readable at their own path though a cover lies over them. */
  readonly visible: readonly string[];
  /** Folders of the machine that read as empty. */
  readonly hidden: readonly string[];
  /** The machine's mounts, see `machineMounts`. */
  readonly mounts: readonly Mount[];
}

/** One mount of the machine. */
export interface Mount {
  readonly path: string;
  readonly options: readonly string[];
}

/** Folders of the machine that a host sees its own in place of. */
export const COVERED = ['/etc', '/var', '/opt', '/root', '/home', '/tmp', '/run'] as const;

/** Parses /proc/self/mountinfo. */
export function machineMounts(mountinfo: string): Mount[] {
  const lines = mountinfo.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const fields = line.split(' ');
    const unescaped = (fields[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return { path: unescaped, options: (fields[5] ?? '').split(',') };
  });
}

/**
 * The script of a host's first process: it builds the host's view in its own mount namespace, prints
 * `ready PID` (its pid as the machine numbers it) and then reaps orphans until its standard input ends, which
 * happens when the process that started the host is gone, however it went.
 */
export function mountScript(plan: MountPlan): string {
  const { rootfs } = plan;
  const at = (path: string): string => quote(join(rootfs, path));
  return [
    'set -eu',
    // Still the machine's /proc here: the one place where the outer pid can be read.
    'read -r outer rest </proc/self/stat',
    'exec 3<&0 </dev/null',
    'mount -t proc proc /proc',
    `echo ${plan.firstPid} 2>/dev/null >/proc/sys/kernel/ns_last_pid || :`,
    `hostname ${quote(plan.name)} 2>/dev/null || :`,
    ...deviceLines(rootfs),
    `mount -t tmpfs -o mode=0755 run ${at('run')}`,
    `mkdir -m 1777 ${at('run/lock')}`,
    ...machineFolders(rootfs),
    ...plan.visible.flatMap((path) => showLines(path, join(rootfs, path))),
    // Covers before write protection: a bind mount takes the flags of the mount it is taken from.
    ...coverLines(rootfs),
    ...writeProtectLines(plan.mounts),
    ...plan.hidden.map(
      (path) =>
        `if [ -d ${quote(path)} ]; then mount -t tmpfs -o ro,size=4k,mode=0755 hidden ${quote(path)}; fi`,
    ),
    'cd /root',
    'echo "ready $outer"',
    // A short name for PID 1 in the host's `ps`; the start time, and so the host's incarnation, stays.
    `exec /bin/sh -c ${quote(REAPER)} init >/dev/null`,
  ].join('\n');
}

/** `wait` reaps whatever was left to PID 1. The reader may be killed from inside (kill -9 -1): then another starts. */
const REAPER = 'while :; do cat <&3 >/dev/null 2>&1 & if wait $!; then exit 0; fi; done';

/** A /dev of harmless devices: with root's id outside, the machine's disks would be writable through its /dev. */
function deviceLines(rootfs: string): string[] {
  const dev = quote(join(rootfs, 'dev'));
  return [
    `mount -t tmpfs -o mode=0755 dev ${dev}`,
    `for node in null zero full random urandom tty; do : >${dev}/$node; mount --bind /dev/$node ${dev}/$node; done`,
    `mkdir ${dev}/pts ${dev}/shm`,
    `mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts ${dev}/pts || :`,
    `mount -t tmpfs -o mode=1777 shm ${dev}/shm`,
    `ln -s pts/ptmx ${dev}/ptmx`,
    `ln -s /proc/self/fd ${dev}/fd`,
    `ln -s fd/0 ${dev}/stdin; ln -s fd/1 ${dev}/stdout; ln -s fd/2 ${dev}/stderr`,
  ];
}

/** Parts of the machine's /etc that its own programs need, read-only, inside the host's /etc. */
function machineFolders(rootfs: string): string[] {
  return ['/etc/alternatives', '/etc/ssl', '/etc/ld.so.conf.d'].map((path) => {
    const target = quote(join(rootfs, path));
    return `if [ -d ${path} ]; then mount --rbind ${path} ${target}; mount -o remount,bind,ro ${target} || :; fi`;
  });
}

function showLines(path: string, target: string): string[] {
  const [from, to] = [quote(path), quote(target)];
  return [
    `if [ -d ${from} ]; then mkdir -p ${to}; else mkdir -p ${quote(join(target, '..'))}; : >>${to}; fi`,
    `mount --rbind ${from} ${to}`,
    `mount -o remount,bind,ro ${to} || echo "stays writable:" ${from} >&2`,
  ];
}

/**
 * Everything that is not the host's becomes read-only. The flags a mount has must be repeated: those the
 * machine set are locked here, and a remount that drops one is refused.
 */
function writeProtectLines(mounts: readonly Mount[]): string[] {
  const skipped = ['/proc', '/sys', '/dev', ...COVERED];
  const within = (path: string): boolean => skipped.some((top) => path === top || path.startsWith(`${top}/`));
  const lines = [...new Map(mounts.map((mount) => [mount.path, mount])).values()]
    .filter((mount) => !within(mount.path) && mount.options.includes('rw'))
    .map((mount) => {
      const kept = mount.options.filter((option) => LOCKABLE.has(option));
      const options = ['remount', 'bind', 'ro', ...kept].join(',');
      return `mount -o ${options} ${quote(mount.path)} || echo "stays writable:" ${quote(mount.path)} >&2`;
    });
  const kernelTops = topmost(mounts.map((mount) => mount.path).filter((path) => path.startsWith('/sys/')));
  return [
    ...lines,
    ...kernelTops.map((path) => `mount -t tmpfs -o ro,size=4k covered ${quote(path)} || :`),
    'mount -o remount,bind,ro /sys || :',
    // With root's id outside, these would change the machine: sysctl and sysrq look at the id only.
    'for path in /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs; do',
    '  if [ -e "$path" ] && mount --bind "$path" "$path"; then mount -o remount,bind,ro "$path" || :; fi',
    'done',
  ];
}

const LOCKABLE = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']);

function topmost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** The cover that hides the host's own folder comes last: after it no source can be reached any more. */
function coverLines(rootfs: string): string[] {
  const tops = ['/dev', ...COVERED];
  const hides = (top: string): boolean => rootfs.startsWith(`${top}/`);
  const ordered = [...tops.filter((top) => !hides(top)), ...tops.filter(hides)];
  return ordered.map((top) => `if [ -d ${top} ]; then mount --rbind ${quote(join(rootfs, top))} ${top}; fi`);
}

/** One word of a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
