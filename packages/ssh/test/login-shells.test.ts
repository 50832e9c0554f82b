import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask, attempt, bundle, check, connectionOf, runToEnd, sshdHost } from './host-fixture.js';
import { type Sshd, sshdSuite, startSshd } from './sshd.js';

const never = new AbortController().signal;

if (sshdSuite()) {
  describe('login shells and their noise', () => {
    let sshd: Sshd;
    before(async () => {
      sshd = await startSshd();
    });
    after(() => sshd.stop());

    test('[V01] a profile that prints on both streams is in no log, no evidence and no path', async (t) => {
      const clean = await sshdHost(t, sshd, 'plain');
      const quiet = await clean.hosts.check(clean.host, [check('c', 'printf "a\\0b"; echo e >&2')], never);
      sshd.inside(
        'printf "%s\\n" "echo hello from bashrc; echo warn >&2; printf no-line-end" >/home/plain/.bashrc; cp /home/plain/.bashrc /home/plain/.profile',
      );
      const host = await sshdHost(t, sshd, 'plain');
      assert.equal(host.host.runRoot, clean.host.runRoot);
      const noisy = await host.hosts.check(host.host, [check('c', 'printf "a\\0b"; echo e >&2')], never);
      assert.deepEqual(noisy, quiet);
      const ref = attempt(host.host);
      const { log } = await runToEnd(host, bundle(ref, 'echo job'));
      assert.equal(log.text, 'job\n');
      assert.deepEqual(await host.hosts.probe(host.host, ref), { kind: 'exited', code: 0 });
    });

    test('[V01] a profile that ends the shell or never ends is named in one sentence', async (t) => {
      const host = await sshdHost(t, sshd, 'app');
      sshd.inside('echo "echo closed for work; exit 3" >/home/app/.bashrc');
      const ends = await host.another().probe(host.host, attempt(host.host));
      assert.ok(ends.kind === 'blocked' && ends.reason.code === 'needs_input');
      assert.match(
        String(ends.reason.args.detail),
        /^the login shell of app ended before it started \/bin\/sh; look at its profile: closed for work$/,
      );
      sshd.inside('echo "echo wait; sleep 30" >/home/app/.bashrc');
      const hangs = await host.another({ answerTimeoutMs: 600 }).probe(host.host, attempt(host.host));
      assert.ok(hangs.kind === 'blocked' && hangs.reason.code === 'needs_input');
      assert.match(
        String(hangs.reason.args.detail),
        /did not start \/bin\/sh within 600 ms; look at its profile: wait$/,
      );
      sshd.inside('rm /home/app/.bashrc');
    });

    for (const shell of ['/bin/dash', '/usr/bin/tcsh', '/usr/bin/fish']) {
      test(`[V02] login shell ${shell}: start, follow, attach, cancel, probe, check`, async (t) => {
        if (sshd.inside(`[ -x ${shell} ] && echo there || true`) === '')
          return t.diagnostic(`${shell} is not installed here`);
        sshd.inside(
          `sed -i "s,^\\(power:.*\\):[^:]*$,\\1:${shell}," /etc/passwd 2>/dev/null || { sed "s,^\\(power:.*\\):[^:]*$,\\1:${shell}," /etc/passwd >/run/passwd; cat /run/passwd >/etc/passwd; }`,
        );
        assert.match(sshd.inside('grep ^power: /etc/passwd'), new RegExp(`${shell}$`, 'm'));
        const host = await sshdHost(t, sshd, 'power');
        const params = Buffer.from('{"v":"it\'s $(x) `y` ! \\"z\\""}');
        const { result, log } = await runToEnd(
          host,
          bundle(attempt(host.host), 'printf %s "$CAPSTAN_PARAM_V"; exit 2', { params, as: 'root' }),
        );
        assert.equal(result.kind === 'exited' && result.code, 2);
        assert.equal(log.text, 'it\'s $(x) `y` ! "z"');
        const second = attempt(host.host);
        const running = runToEnd(host, bundle(second, 'echo up; sleep 60'));
        await new Promise((resolve) => setTimeout(resolve, 600));
        assert.deepEqual(await host.hosts.cancel(host.host, second, 5_000), { kind: 'gone' });
        assert.deepEqual((await running).result, { kind: 'refused', why: 'cancelled' });
        assert.deepEqual(await host.hosts.probe(host.host, second), { kind: 'cancelled' });
        assert.equal(await ask(host, 'echo "$CAPSTAN_PARAMS" | grep -c capstan-check'), '1');
        return undefined;
      });
    }

    test('a user who may not log in is told as such', async (t) => {
      const host = await sshdHost(t, sshd, 'plain');
      sshd.inside(
        'sed "s,^\\(asks:.*\\):[^:]*$,\\1:/usr/sbin/nologin," /etc/passwd >/run/passwd; cat /run/passwd >/etc/passwd',
      );
      const result = await host.hosts.enrol({
        ...connectionOf({ port: sshd.port, user: 'asks', fingerprint: sshd.fingerprints.ed25519 }),
      });
      assert.ok(result.kind === 'blocked' && result.reason.code === 'auth_failed');
      assert.match(String(result.reason.args.detail), /not available/);
    });
  });
}
