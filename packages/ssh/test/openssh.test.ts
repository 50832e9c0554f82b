import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask, attempt, bundle, Recorder, runToEnd, sshdHost } from './host-fixture.js';
import { type Sshd, sshdSuite, startSshd } from './sshd.js';

const never = new AbortController().signal;

if (sshdSuite()) {
  describe('a real OpenSSH server', () => {
    let sshd: Sshd;
    before(async () => {
      sshd = await startSshd();
    });
    after(() => sshd.stop());

    for (const [user, root] of [
      ['root', '/var/lib/capstan/run'],
      ['power', '/var/lib/capstan/run'],
      ['plain', '/home/plain/.capstan/run'],
    ] as const) {
      test(`login as ${user}: the whole round of an attempt`, async (t) => {
        const host = await sshdHost(t, sshd, user);
        assert.equal(host.host.runRoot, root);
        const ref = attempt(host.host);
        const { result, log } = await runToEnd(
          host,
          bundle(
            ref,
            'id -un; echo "$HOME"; umask; cat "$CAPSTAN_SECRETS/s"; echo o >"$CAPSTAN_OUTPUTS/o"; exit 5',
            { secrets: [{ name: 's', bytes: Buffer.from('S\n'), sensitive: true }] },
          ),
        );
        assert.equal(log.text, `${user}\n${user === 'root' ? '/root' : `/home/${user}`}\n0022\nS\n`);
        assert.deepEqual(result, { kind: 'exited', code: 5, logSize: log.bytes.length });
        assert.deepEqual(await host.hosts.probe(host.host, ref), { kind: 'exited', code: 5 });
        const collected = await host.hosts.collect(host.host, ref, [{ name: 'o', limit: 9 }]);
        assert.ok(collected.kind === 'collected' && collected.files.length === 1);
        assert.deepEqual(await host.hosts.forget(host.host, ref), { kind: 'forgotten' });
        assert.equal(await ask(host, 'id -un'), user);
        const again = await host.hosts.enrol(host.host);
        assert.ok(
          again.kind === 'enrolled' && again.runRoot === root && again.secretRoot === host.host.secretRoot,
        );
      });
    }

    test('[C10] cancel from a login with sudo reaches what root started, the child of sudo too', async (t) => {
      const host = await sshdHost(t, sshd, 'power');
      for (const [as, script] of [
        ['root', 'echo up; sleep 7360'],
        ['login', 'sudo -n setsid sh -c "echo up; trap : TERM; sleep 7361; sleep 7362"'],
        ['app', 'echo up; sleep 7363'],
      ] as const) {
        const ref = attempt(host.host);
        const log = new Recorder();
        const running = runToEnd(host, bundle(ref, script, { as }), log);
        await log.until((seen) => seen.text === 'up\n');
        assert.deepEqual(await host.hosts.cancel(host.host, ref, 2_000), { kind: 'gone' }, as);
        assert.deepEqual((await running).result, { kind: 'refused', why: 'cancelled' }, as);
      }
      assert.equal(
        await ask(host, 'grep -lzE "^736[0-9]$" /proc/[0-9]*/cmdline 2>/dev/null | wc -l', 'root'),
        '0',
      );
    });

    test('[C15] sudo that wants a password is told with its words, and login jobs still run', async (t) => {
      const host = await sshdHost(t, sshd, 'asks');
      assert.equal(host.host.runRoot, '/home/asks/.capstan/run');
      for (const as of ['root', 'app']) {
        const result = await host.hosts.run(
          host.host,
          bundle(attempt(host.host), 'true', { as }),
          0,
          new Recorder(),
          never,
        );
        assert.ok(result.kind === 'blocked');
        assert.deepEqual(result.reason, {
          code: 'no_sudo',
          args: { detail: 'sudo: a password is required' },
        });
      }
      assert.equal((await runToEnd(host, bundle(attempt(host.host), 'id -un'))).log.text, 'asks\n');
    });

    test('[V04] umask 077 everywhere: the job of another user reaches its files, secrets stay 0600, the run folder is 0711', async (t) => {
      sshd.inside('echo "umask 077" >/home/power/.bashrc; echo "umask 077" >/home/power/.profile');
      const host = await sshdHost(t, sshd, 'power');
      const ref = attempt(host.host);
      const script =
        'id -un; umask; cat "$CAPSTAN_SECRETS/s" "$CAPSTAN_INPUTS/i" "$CAPSTAN_INPUTS/p"; stat -L -c "%a %U" "$CAPSTAN_SECRETS/s" "$CAPSTAN_INPUTS/i" "$CAPSTAN_OUTPUTS" "$CAPSTAN_INPUTS/.."; echo loud >/dev/stderr; echo o >"$CAPSTAN_OUTPUTS/o"';
      const file = (name: string, sensitive: boolean) => ({
        name,
        bytes: Buffer.from(`${name}\n`),
        sensitive,
      });
      const { log } = await runToEnd(
        host,
        bundle(ref, script, {
          as: 'app',
          secrets: [file('s', true)],
          inputs: [file('i', true), file('p', false)],
        }),
      );
      assert.equal(log.text, 'app\n0022\ns\ni\np\n600 app\n600 app\n700 app\n700 app\nloud\n');
      assert.equal(
        sshd.inside(`stat -c "%a %U" ${ref.runRoot}/${ref.attemptId} ${ref.runRoot}`),
        '711 root\n711 root\n',
      );
      const collected = await host.hosts.collect(host.host, ref, [{ name: 'o', limit: 9 }]);
      assert.ok(
        collected.kind === 'collected' && collected.files.length === 1,
        "the login user cannot read it, the job's user can",
      );
      sshd.inside('rm /home/power/.bashrc /home/power/.profile');
    });

    test('[S11] what a job links into its outputs is not read with the rights of root', async (t) => {
      const host = await sshdHost(t, sshd, 'power');
      const ref = attempt(host.host);
      await runToEnd(
        host,
        bundle(
          ref,
          'ln -s /etc/shadow "$CAPSTAN_OUTPUTS/report"; ln /etc/passwd "$CAPSTAN_OUTPUTS/hard" 2>/dev/null; mkdir "$CAPSTAN_OUTPUTS/d"; { rmdir "$CAPSTAN_OUTPUTS"; mv "$CAPSTAN_OUTPUTS" "$CAPSTAN_OUTPUTS.old"; ln -s /etc "$CAPSTAN_OUTPUTS"; } 2>/dev/null',
          { as: 'app' },
        ),
      );
      const result = await host.hosts.collect(host.host, ref, [
        { name: 'report', limit: 9_999 },
        { name: 'shadow', limit: 9_999 },
      ]);
      assert.ok(result.kind === 'collected');
      assert.deepEqual(result.files, []);
      assert.deepEqual(
        result.missing.map((one) => one.why),
        ['link', 'absent'],
      );
    });

    test('[C39] the log of the server shows no authentication attempt when the pinned key is another one', async (t) => {
      const host = await sshdHost(t, sshd, 'root');
      const seen = sshd.log().length;
      const pinned = {
        ...host.host,
        hostKeyFingerprint: 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      };
      const result = await host.another().probe(pinned, attempt(pinned));
      assert.ok(result.kind === 'blocked');
      assert.deepEqual(result.reason, {
        code: 'host_key_changed',
        args: { expected: pinned.hostKeyFingerprint, offered: sshd.fingerprints.ed25519 },
      });
      const unknown = await host.another().enrol({ ...pinned, hostKeyFingerprint: null });
      assert.ok(
        unknown.kind === 'blocked' &&
          unknown.reason.code === 'host_key_unknown' &&
          unknown.reason.args.offered === sshd.fingerprints.ed25519,
      );
      const news = sshd.log().slice(seen);
      assert.match(news, /Connection (closed|reset)|Disconnected|kex_exchange|Received disconnect/);
      assert.doesNotMatch(news, /userauth-request|Failed publickey|Accepted publickey/);
    });

    test('a host key of another kind than the host prefers is found before a host counts as changed', async (t) => {
      const host = await sshdHost(t, sshd, 'root');
      for (const kind of ['ecdsa', 'rsa'] as const) {
        const pinned = { ...host.host, hostKeyFingerprint: `${sshd.fingerprints[kind]}=` };
        assert.deepEqual(
          await host.another().probe(pinned, attempt(pinned)),
          { kind: 'never_started' },
          kind,
        );
      }
    });

    test('[C10] [V05] sshd closes its session under a job: the job goes on, its daemon outlives the connection', async (t) => {
      const host = await sshdHost(t, sshd, 'plain');
      const what = bundle(
        attempt(host.host),
        'echo up; ( while :; do echo tick >/dev/null; sleep 0.2; done ) & echo "$!" >"$HOME/daemon"; sleep 1; echo end',
      );
      const log = new Recorder();
      const following = runToEnd(host, what, log);
      await log.until((seen) => seen.text === 'up\n');
      sshd.dropSessions();
      assert.equal((await following).result.kind, 'link_lost');
      assert.equal((await runToEnd(host, what, log)).result.kind, 'exited');
      assert.equal(log.text, 'up\nend\n');
      await host.hosts.close();
      sshd.inside('kill $(cat /home/plain/daemon)');
    });
  });
}
