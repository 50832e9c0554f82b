import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireSuite } from '../scripts/suites.mjs';
import { asTheUser, dataFolder, ROOT, runCli, startAndWait, startProduct, type Test } from './product.js';

const isRoot = process.getuid?.() === 0;
/** Mounts of a test's own, gone with its last process. */
const PRIVATE = ['unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount'];
const canMount =
  spawnSync(PRIVATE[0] ?? '', [...PRIVATE.slice(1), 'mount', '-t', 'tmpfs', 'trial', '/mnt'], {
    stdio: 'ignore',
  }).status === 0;

function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'capstan-places-'));
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 3 }));
  return made;
}

/** `mounts` (a shell script; $1 is `argument`) and then the command, as the user who runs the tests. */
function withMounts(mounts: string, argument: string): string[] {
  const script = `set -eu; umask 077; mount --make-rprivate /; ${mounts}; shift; ${asTheUser()}`;
  return [...PRIVATE, 'sh', '-c', script, 'sh', argument];
}

if (requireSuite('mounts', canMount, 'no mount namespaces here', 'a Linux kernel with user namespaces')) {
  test('deep paths with blanks, a parent closed to others, umask 077, state on another file system', async (t) => {
    const closed = folder(t);
    chmodSync(closed, 0o700);
    const root = join(closed, `a checkout with blanks, ${'deep '.repeat(20)}`, 'capstan');
    const other = join(closed, 'another file system');
    for (const made of [root, other]) mkdirSync(made, { recursive: true });
    const data = join(other, `state ${'very-deep-'.repeat(12)}`, 'data');
    assert.ok(Buffer.byteLength(root) > 100 && Buffer.byteLength(data) > 100);
    const through = withMounts(
      `mount --rbind '${ROOT}' '${root}'; mount -t tmpfs -o mode=0700 other '${other}'`,
      '',
    );
    const product = await startProduct(t, data, {}, { through, root });

    // The mounts are the server's own: the command line tool enters them, or knows address and token.
    const inside = [
      'nsenter',
      '-t',
      String(product.pid),
      ...(isRoot ? [] : ['-U', '--preserve-credentials']),
      '-m',
    ];
    const applied = await runCli(
      ['apply', '-f', join(root, 'examples/postgres.yaml'), '--yes', '--wait', '--json'],
      { CAPSTAN_DATA: data },
      { through: inside, root },
    );
    assert.equal(applied.code, 0, applied.stdout + applied.stderr);
    assert.equal(applied.json<{ status: string }>().status, 'succeeded');
    const { code, ms } = await product.stop();
    assert.equal(code, 0);
    assert.ok(ms < 10_000, `${ms} ms`);
  });

  test('a disk that is too small for the database is one line', async (t) => {
    const data = dataFolder(t);
    const through = withMounts('mkdir -m 711 "$1"; mount -t tmpfs -o size=32m,mode=0711 small "$1"', data);
    const got = await startAndWait(data, { CAPSTAN_PORT: '0' }, { through });
    assert.equal(got.code, 1);
    const lines = got.output.split('\n').filter((line) => !/^(Starting the database|Stopping|)$/.test(line));
    assert.equal(lines.length, 1, got.output);
    assert.match(
      lines[0] ?? '',
      new RegExp(`^The disk that holds ${data} is full: .+No space left on device`),
    );
  });
}

if (requireSuite('root', isRoot, 'needs the user root', 'run npm test as root')) {
  test('a checkout or data folder of another user is one line that names folder and user', async (t) => {
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];
    const data = dataFolder(t);
    const starts = [
      { entry: 'start', CAPSTAN_DATA: data },
      { entry: 'server', CAPSTAN_DATA: data },
      { entry: 'start', CAPSTAN_DATA: '' },
    ] as const;
    for (const { entry, ...env } of starts) {
      const got = await startAndWait(data, { CAPSTAN_PORT: '0', ...env }, { through: nobody, entry });
      assert.equal(got.code, 1);
      assert.match(
        got.output,
        /^\S+ is not writable by (user 65534|nobody): chown it to that user, or (clone elsewhere|name another folder in CAPSTAN_DATA)\.?\n$/,
      );
    }
  });
}
