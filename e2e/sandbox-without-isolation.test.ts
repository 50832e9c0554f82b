import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireSuite } from '../scripts/suites.mjs';
import { alive, processesOf, ROOT, runCli, type Seen, type Test } from './product.js';

// Overlays record exactly what is changed, whatever else goes on on this machine, and keep it from happening.
const WATCHED = ['etc', 'var', 'opt', 'root', 'home', 'tmp', 'usr'];
const DATA = '/mnt/data';
const TOKEN = 'a-token-of-this-test';

const isRoot = process.getuid?.() === 0;

/** The namespaces of the outside: overlays over the machine, then (as `$4 …`) the product; in the end what was changed. */
const OUTSIDE = `set -eu
exec 3<&0
mount --make-rprivate /
mount -t tmpfs -o mode=0755 changes /mnt
for top in ${WATCHED.join(' ')}; do
  [ -d "/$top" ] || continue
  mkdir -p "/mnt/$top/upper" "/mnt/$top/work"
  chmod --reference="/$top" "/mnt/$top/upper"
  mount -t overlay -o "lowerdir=/$top,upperdir=/mnt/$top/upper,workdir=/mnt/$top/work$OVERLAY" changes "/$top"
done
cd "$CHECKOUT"
"$@" <&3 &
product=$!
trap 'kill -TERM "$product"' TERM
wait "$product" && code=0 || code=$?
while kill -0 "$product" 2>/dev/null; do wait "$product" && code=0 || code=$?; done
for top in ${WATCHED.join(' ')}; do
  [ ! -d "/mnt/$top/upper" ] || find "/mnt/$top/upper" -mindepth 1 -printf "changed: /$top/%P\\n"
done
exit "$code"`;

/** A user namespace in which no further one can be made, as on a kernel that refuses them. */
const INSIDE = `set -eu
echo "map: $$"
read -r _
exec "$@"`;
const REFUSING = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"';

const trial = (script: string): boolean =>
  spawnSync('unshare', [...namespaces, 'sh', '-c', script], { stdio: 'ignore' }).status === 0;
const namespaces = isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
const overlayOptions = isRoot ? '' : ',userxattr';
const possible = trial(
  `mount --make-rprivate / && mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w && mount -t overlay -o lowerdir=/etc,upperdir=/mnt/u,workdir=/mnt/w${overlayOptions} o /etc && unshare --user true`,
);

interface Denied {
  readonly url: string;
  readonly pid: number;
  /** Ends it; what it changed on the machine, and its exit code. */
  stop(): Promise<{ readonly code: number | null; readonly changed: readonly string[] }>;
  output(): string;
}

/** The product where the kernel refuses user namespaces, started as root of this machine or as its plain user. */
async function startDenied(t: Test, packs: string): Promise<Denied> {
  const server = [process.execPath, '--enable-source-maps', 'apps/server/dist/main.js'];
  // Every number is mapped for root, who then steps down as on the machine itself; a plain user keeps only itself.
  const user = isRoot ? [] : ['--map-user=1000', '--map-group=1000'];
  const drop = isRoot ? [] : ['setpriv', '--inh-caps=-all', '--ambient-caps=-all', '--'];
  const inside = ['unshare', '--user', ...user, '--keep-caps', 'sh', '-c', INSIDE, 'sh'];
  const denied = [...inside, 'sh', '-c', REFUSING, 'sh', ...drop, ...server];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', OUTSIDE, 'sh', ...denied], {
    env: {
      PATH: process.env.PATH ?? '',
      OVERLAY: overlayOptions,
      CHECKOUT: ROOT,
      CAPSTAN_DATA: DATA,
      CAPSTAN_PORT: '0',
      CAPSTAN_TOKEN: TOKEN,
      CAPSTAN_PACKS: packs,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  t.after(() => killGroup(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      look();
      void ended.then((code) => reject(new Error(`it ended with ${code}:\n${text}`)));
    });
  const pid = Number(await said(/^map: (\d+)$/m));
  if (isRoot) for (const map of ['gid_map', 'uid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536\n');
  child.stdin.write('go\n');
  return {
    url: await said(/^Capstan is ready: (\S+)$/m),
    pid,
    output: () => text,
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      return { code, changed: [...text.matchAll(/^changed: (.*)$/gm)].map((match) => match[1] ?? '') };
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGKILL');
}

/** The trial pack, with a job that wants an isolated host. */
function isolatedPack(t: Test): string {
  const packs = mkdtempSync(join(tmpdir(), 'capstan-packs-'));
  t.after(() => rmSync(packs, { recursive: true, force: true }));
  cpSync(join(ROOT, 'e2e/packs/trial'), join(packs, 'trial'), { recursive: true });
  const job = join(packs, 'trial/jobs/tick.yaml');
  writeFileSync(job, readFileSync(job, 'utf8').replace('sandbox: any', 'sandbox: isolated'));
  writeFileSync(
    join(packs, 'intent.yaml'),
    'intent: {action: run, target_resource_type: trial, desired_result: {name: one, ticks: 1}, hosts: [node/lab-1]}\n',
  );
  return packs;
}

interface Refused {
  readonly problems: readonly { readonly code: string; readonly text: string }[];
}

if (
  requireSuite('userns', possible, 'no mount namespace with overlays here', 'a Linux kernel that has them')
) {
  test('sandbox hosts where the kernel refuses user namespaces', async (t) => {
    const packs = isolatedPack(t);
    const product = await startDenied(t, packs);
    const cli = (...args: string[]) =>
      runCli(args, { CAPSTAN_URL: product.url, CAPSTAN_TOKEN: TOKEN, CAPSTAN_DATA: join(packs, 'none') });
    let ran: readonly Seen[] = [];

    await t.test('the start says that they are not isolated, why, and what follows', () => {
      assert.match(
        product.output(),
        /not isolated \(the kernel refuses user namespaces: .+\): only jobs with sandbox: any run there/,
      );
    });

    await t.test(
      'a job that wants isolation is refused before anything runs, naming job and host',
      async () => {
        for (const verb of [['plan'], ['apply', '--yes', '--wait']]) {
          const got = await cli(...verb, '-f', join(packs, 'intent.yaml'), '--json');
          assert.equal(got.code, 2, got.stdout + got.stderr);
          const [problem] = got.json<Refused>().problems;
          assert.equal(problem?.code, 'not_isolated');
          assert.match(
            problem.text,
            /^trial:tick may run only in an isolated sandbox, and node\/lab-1 is not/,
          );
        }
      },
    );

    await t.test('jobs with sandbox: any run to the proven end', async () => {
      const example = join(ROOT, 'examples/postgres.yaml');
      const applied = await cli('apply', '-f', example, '--yes', '--wait', '--json');
      assert.equal(applied.code, 0, applied.stdout + applied.stderr);
      assert.equal(applied.json<{ status: string }>().status, 'succeeded');
      ran = processesOf(product.pid, DATA);
      assert.ok(
        ran.some((one) => /postgres -D \/mnt\/data\/lab\//.test(one.command)),
        JSON.stringify(ran),
      );
    });

    await t.test(
      'after the stop nothing outside the folder of the hosts has changed, and nothing runs',
      async () => {
        const { code, changed } = await product.stop();
        assert.equal(code, 0, product.output());
        assert.deepEqual(changed, []);
        assert.deepEqual(alive(ran), []);
      },
    );
  });
}
