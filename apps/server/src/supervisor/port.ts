import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

export type ChosenPort =
  | {
      readonly kind: 'free';
      readonly port: number /** Said when it is not the port one would expect. */;
      readonly note: string | null;
    }
  | { readonly kind: 'refused'; readonly line: string };

/** An explicit port is taken as it is or refused; the default one gives way to the next free one, and says so. */
export async function choosePort(
  host: string,
  wanted: { readonly value: number; readonly explicit: boolean },
): Promise<ChosenPort> {
  const first = await tryPort(host, wanted.value);
  if (first.kind === 'free') return { kind: 'free', port: first.port, note: null };
  if (wanted.explicit) return { kind: 'refused', line: refusal(wanted.value, first.code) };
  for (let port = wanted.value + 1; port < wanted.value + 100; port += 1) {
    const next = await tryPort(host, port);
    if (next.kind === 'free') {
      const holder = listenerOf(wanted.value);
      const by = holder === null ? '' : ` by process ${holder}`;
      return {
        kind: 'free',
        port,
        note: `Port ${wanted.value} is taken${by}; using ${port} (CAPSTAN_PORT chooses another).`,
      };
    }
  }
  return {
    kind: 'refused',
    line: `Ports ${wanted.value} to ${wanted.value + 99} are all taken: set CAPSTAN_PORT`,
  };
}

function refusal(port: number, code: string): string {
  if (code === 'EACCES') return `CAPSTAN_PORT=${port}: this user may not listen there; choose one above 1023`;
  if (code !== 'EADDRINUSE') return `CAPSTAN_PORT=${port}: cannot listen there (${code})`;
  const holder = listenerOf(port);
  const by = holder === null ? 'another process' : `process ${holder}`;
  return `CAPSTAN_PORT=${port} is taken by ${by}: stop it, or choose another port`;
}

function tryPort(
  host: string,
  port: number,
): Promise<{ kind: 'free'; port: number } | { kind: 'taken'; code: string }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'taken', code: error.code ?? 'unknown' }),
    );
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve({ kind: 'free', port: got }));
    });
  });
}

/** Pid of the process that listens on a TCP port of this machine; null where /proc does not tell. */
export function listenerOf(port: number): number | null {
  const inodes = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningInodes(table, port)),
  );
  if (inodes.size === 0) return null;
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const fd of list(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode !== undefined && inodes.has(inode)) return Number(pid);
    }
  }
  return null;
}

function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  let rows: string[];
  try {
    rows = readFileSync(table, 'utf8').split('\n').slice(1);
  } catch {
    return []; // no /proc, or no IPv6
  }
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) === true && fields[3] === '0A')
    .map((fields) => fields[9] ?? '');
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // another user's process, or one that has just ended
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}
