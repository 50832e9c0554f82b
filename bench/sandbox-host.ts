import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostConnection, HostPort } from '@capstan/engine';
import { testHost } from '@capstan/engine/testing';
import { startSandbox } from '@capstan/lab';
import { createSshHosts } from '@capstan/ssh';

export interface BenchHost {
  readonly hosts: HostPort;
  readonly host: HostConnection & { readonly runRoot: string; readonly secretRoot: string };
  stop(): Promise<void>;
}

/** One enrolled sandbox host with the SSH defaults that production uses. */
export async function openBenchHost(): Promise<BenchHost> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-bench-')));
  const lab = await startSandbox({
    dataDir,
    names: ['h1'],
    standIns: join(import.meta.dirname, '../packages/lab/stand-ins'),
  });
  const [box] = lab.hosts;
  if (!box) throw new Error('the sandbox gave no host');
  const key = readFileSync(lab.clientKeyFile, 'utf8');
  const hosts = createSshHosts({ credentials: () => Promise.resolve(key) });
  const record: HostConnection = {
    ...testHost('h1'),
    address: box.address,
    port: box.port,
    user: box.user,
    hostKeyFingerprint: box.hostKeyFingerprint,
    runRoot: null,
    secretRoot: null,
  };
  const enrolled = await hosts.enrol(record);
  if (enrolled.kind === 'blocked') throw new Error(`not enrolled: ${enrolled.reason.code}`);
  return {
    hosts,
    host: { ...record, runRoot: enrolled.runRoot, secretRoot: enrolled.secretRoot },
    async stop() {
      await hosts.close();
      await lab.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
