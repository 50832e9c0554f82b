import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask, attempt, bundle, check, Recorder, runToEnd, sshdHost } from './host-fixture.js';
import { sshdSuite, startSshd } from './sshd.js';

const never = new AbortController().signal;

if (sshdSuite()) {
  describe('hosts at their limits', () => {
    test('[C14] MaxSessions 2 and a crowded door: every job ends, none fails of it', async (t) => {
      const sshd = await startSshd({ config: ['MaxSessions 2', 'MaxStartups 1:90:2', 'LoginGraceTime 10'] });
      t.after(() => sshd.stop());
      const host = await sshdHost(t, sshd, 'root');
      const others = Array.from({ length: 5 }, () => host.another());
      const probes = await Promise.all(others.map((other) => other.probe(host.host, attempt(host.host))));
      assert.deepEqual(
        probes.map((probe) => probe.kind),
        probes.map(() => 'never_started'),
      );
      const results = await Promise.all(
        Array.from({ length: 6 }, () => runToEnd(host, bundle(attempt(host.host), 'echo ok'))),
      );
      for (const { result, log } of results) {
        assert.equal(result.kind, 'exited', JSON.stringify(result));
        assert.equal(log.text, 'ok\n');
      }
    });

    test('[C13] [C14] 30 jobs at once, each over a connection of its own, at a door as OpenSSH sets it up: every job runs', async (t) => {
      const sshd = await startSshd({ config: ['MaxSessions 10', 'MaxStartups 10:30:100'] });
      t.after(() => sshd.stop());
      const host = await sshdHost(t, sshd, 'root');
      const results = await Promise.all(
        Array.from({ length: 30 }, () =>
          runToEnd({ ...host, hosts: host.another() }, bundle(attempt(host.host), 'echo ok; sleep 0.2')),
        ),
      );
      for (const { result, log } of results) {
        assert.deepEqual(result, { kind: 'exited', code: 0, logSize: 3 });
        assert.equal(log.text, 'ok\n');
      }
      assert.match(sshd.log(), /MaxStartups/, 'the door was crowded');
    });

    test('[V07] [C17] a full disk on the host: the path and the free bytes are told, nothing was started, and it goes on when there is room', async (t) => {
      const sshd = await startSshd({
        prepare:
          'mkdir -p /var/lib/capstan/run; mount -t tmpfs -o size=3m,mode=0711 small /var/lib/capstan/run',
      });
      t.after(() => sshd.stop());
      const host = await sshdHost(t, sshd, 'root');
      sshd.inside('cat /dev/zero >/var/lib/capstan/run/filler 2>/dev/null || true');
      const what = bundle(attempt(host.host), 'echo ran');
      const full = await host.hosts.run(host.host, what, 0, new Recorder(), never);
      assert.ok(full.kind === 'blocked' && full.reason.code === 'disk_full', JSON.stringify(full));
      assert.equal(full.reason.args.path, '/var/lib/capstan/run');
      assert.ok(Number(full.reason.args.free) < 16_384);
      assert.deepEqual(await host.hosts.probe(host.host, what.ref), { kind: 'never_started' });
      assert.equal(sshd.inside('ls -A /var/lib/capstan/run | sort | tr "\\n" " "'), 'filler nodes ');
      sshd.inside('truncate -s -60K /var/lib/capstan/run/filler');
      const nearly = await host.hosts.run(host.host, what, 0, new Recorder(), never);
      assert.ok(nearly.kind === 'blocked' && nearly.reason.code === 'disk_full', JSON.stringify(nearly));
      assert.ok(Number(nearly.reason.args.free) > 30_000, JSON.stringify(nearly));
      assert.deepEqual(await host.hosts.probe(host.host, what.ref), { kind: 'never_started' });
      const cancelled = attempt(host.host);
      assert.deepEqual(
        await host.hosts
          .check(host.host, [check('c', 'exit 4')], never)
          .then((a) => a.kind === 'answered' && a.answers[0]?.exitCode),
        4,
      );
      sshd.inside('rm /var/lib/capstan/run/filler');
      assert.equal((await runToEnd(host, what)).log.text, 'ran\n');
      // The job itself fills the disk: its end and its tombstone still find room.
      const filling = await runToEnd(
        host,
        bundle(cancelled, 'cat /dev/zero >"$CAPSTAN_OUTPUTS/all" 2>/dev/null; exit 9'),
      );
      assert.deepEqual(filling.result, { kind: 'exited', code: 9, logSize: 0 });
      const late = bundle(attempt(host.host), 'x');
      const blocked = await host.hosts.run(host.host, late, 0, new Recorder(), never);
      assert.ok(blocked.kind === 'blocked' && blocked.reason.code === 'disk_full');
    });

    test('a host without a working Perl answers the same checks with the same words', async (t) => {
      const answers: unknown[] = [];
      for (const prepare of ['true', 'mount --bind /bin/false "$(readlink -f "$(command -v perl)")"']) {
        const sshd = await startSshd({ prepare });
        t.after(() => sshd.stop());
        const host = await sshdHost(t, sshd, 'root');
        const answer = await host.hosts.check(host.host, HOSTILE_CHECKS, never);
        assert.ok(answer.kind === 'answered', JSON.stringify(answer));
        answers.push(
          answer.answers
            .map((one) => [
              one.id,
              one.exitCode,
              one.timedOut,
              // The number of the folder is made anew for each round.
              Buffer.from(one.stdout)
                .toString('latin1')
                .replaceAll(/check\.[0-9a-f]+/g, 'check.N'),
              Buffer.from(one.stderr)
                .toString('latin1')
                .replaceAll(/(check\.)[0-9a-f]+/g, '$1N'),
            ])
            .sort(),
        );
        assert.equal(
          sshd.inside('ls -d /dev/shm/capstan-check.* /run/capstan/capstan-check.* 2>/dev/null || true'),
          '',
        );
      }
      assert.deepEqual(answers[0], answers[1]);
      const first = new Map((answers[0] as [string, ...unknown[]][]).map(([id, ...rest]) => [id, rest]));
      assert.deepEqual(first.get('bytes'), [3, false, 'a\0\xff\r\n', 'err']);
      assert.deepEqual(first.get('slow'), [137, true, 'before\n', '']);
      assert.deepEqual(first.get('stubborn'), [137, true, '', 'x\n']);
      assert.deepEqual(first.get('held'), [0, false, 'here\n', '']);
      assert.equal(first.get('missing')?.[0], 127);
      assert.deepEqual(first.get('other'), [0, false, 'app 022 /home/app\n', '']);
      assert.deepEqual(first.get('quotes'), [0, false, `it's "$HOME"\n|a  b`, '']);
    });

    test('[C10] [C11] a command that is slow to become itself: cancel knows it without mark and session, and it never runs', async (t) => {
      const sshd = await startSshd({
        prepare: `mount -t tmpfs bin /usr/local/bin; printf '#!/bin/sh\\n[ "$1" != env ] || sleep 1\\nexec /usr/bin/setsid "$@"\\n' >/usr/local/bin/setsid; chmod 755 /usr/local/bin/setsid`,
      });
      t.after(() => sshd.stop());
      const host = await sshdHost(t, sshd, 'root');
      const ref = attempt(host.host);
      const running = runToEnd(host, bundle(ref, 'touch "$HOME/ran"; sleep 60'));
      await ask(host, `while [ ! -e "${ref.runRoot}/${ref.attemptId}/started" ]; do sleep 0.02; done`);
      assert.deepEqual(await host.another().cancel(host.host, ref, 5_000), { kind: 'gone' });
      assert.deepEqual((await running).result, { kind: 'refused', why: 'cancelled' });
      assert.equal(await ask(host, 'sleep 1.2; ls "$HOME"'), '');
    });

    for (const shell of ['/bin/bash', '/bin/busybox']) {
      test(`a host whose /bin/sh is ${shell}: start, follow, cancel, time out, collect, check`, async (t) => {
        const sshd = await startSshd({
          prepare: `[ ! -x ${shell} ] || mount --bind ${shell} "$(readlink -f /bin/sh)"`,
        });
        t.after(() => sshd.stop());
        if (sshd.inside(`[ -x ${shell} ] && echo there || true`) === '')
          return t.diagnostic(`${shell} is not installed here`);
        const host = await sshdHost(t, sshd, 'power', { killGraceMs: 1_000 });
        const ref = attempt(host.host);
        const { result, log } = await runToEnd(
          host,
          bundle(
            ref,
            'echo "it\'s"; ( while :; do sleep 0.2; echo tick; done ) & echo "$!" >"$CAPSTAN_OUTPUTS/pid"; exit 3',
            { as: 'app', secrets: [{ name: 's', bytes: Buffer.from('x'), sensitive: true }] },
          ),
        );
        // What the daemon writes while the end is being recorded may have been shown already.
        assert.ok(
          result.kind === 'exited' && result.code === 3 && result.logSize <= log.bytes.length,
          JSON.stringify([result, log.text]),
        );
        assert.match(log.text, /^it's\n(tick\n)*$/);
        const collected = await host.hosts.collect(host.host, ref, [{ name: 'pid', limit: 99 }]);
        assert.ok(collected.kind === 'collected' && collected.files.length === 1, JSON.stringify(collected));
        sshd.inside(`kill ${Buffer.from(collected.files[0]?.bytes ?? []).toString()}`);
        const stubborn = attempt(host.host);
        const seen = new Recorder();
        const running = runToEnd(
          host,
          bundle(stubborn, "trap '' TERM; echo up; while :; do sleep 1; done", { as: 'root' }),
          seen,
        );
        await seen.until((recorder) => recorder.text === 'up\n');
        assert.deepEqual(await host.hosts.cancel(host.host, stubborn, 1_000), { kind: 'gone' });
        assert.deepEqual((await running).result, { kind: 'refused', why: 'cancelled' });
        assert.equal(
          (await runToEnd(host, bundle(attempt(host.host), 'sleep 60', { timeoutMs: 500 }))).result.kind,
          'timed_out',
        );
        assert.equal(await ask(host, 'echo "$((1 + 1))"; id -un', 'app'), '2\napp');
        return undefined;
      });
    }

    test('[V06] an expired password: its cause in words within seconds, and the host works again when that is over', async (t) => {
      const sshd = await startSshd({ config: ['UsePAM yes'] });
      t.after(() => sshd.stop());
      const login = await sshdHost(t, sshd, 'plain').catch((error: Error) => error);
      if (login instanceof Error) return t.diagnostic(`PAM lets nobody in here: ${login.message}`);
      const ref = attempt(login.host);
      sshd.inside(
        'sed "s,^plain:\\*:[0-9]*:,plain:*:0:," /etc/shadow >/run/shadow; cat /run/shadow >/etc/shadow',
      );
      const started = performance.now();
      const result = await login.another().run(login.host, bundle(ref, 'true'), 0, new Recorder(), never);
      assert.ok(performance.now() - started < 15_000);
      assert.ok(result.kind === 'blocked' && result.reason.code === 'needs_input', JSON.stringify(result));
      assert.match(String(result.reason.args.detail), /password/i);
      sshd.inside(
        'sed "s,^plain:\\*:0:,plain:*:19700:," /etc/shadow >/run/shadow; cat /run/shadow >/etc/shadow',
      );
      assert.equal((await login.another().probe(login.host, ref)).kind, 'never_started');
      return undefined;
    });
  });
}

/** Every way in which a question may end, and what it is told. */
const HOSTILE_CHECKS = [
  check('bytes', 'printf "a\\0\\377\\r\\n"; printf err >&2; exit 3'),
  check('slow', 'echo before; sleep 30; echo after', { timeoutMs: 800 }),
  check('stubborn', "trap '' TERM; (setsid sleep 3) & echo x >/dev/stderr; sleep 30", { timeoutMs: 800 }),
  check('held', '(setsid sleep 30) & echo here', { timeoutMs: 900 }),
  check('secret', 'cat "$CAPSTAN_SECRETS/s" "$CAPSTAN_INPUTS/i"', {
    secrets: [{ name: 's', bytes: Buffer.from('S'), sensitive: true }],
    inputs: [{ name: 'i', bytes: Buffer.from('I'), sensitive: true }],
  }),
  check('argv', ['sh', '-c', 'echo $# $1', 'sh', 'a b']),
  check('missing', ['no-such-program-anywhere', 'x']),
  check('killed', 'kill -s KILL $$'),
  check('loud', 'head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2'),
  check('environment', 'env | grep -v -e ^_= -e ^OLDPWD= | sort; pwd; umask'),
  check('other', 'echo "$(id -un) $(umask | tail -c 4) $HOME"', { as: 'app' }),
  check('quotes', ['printf', '%s\n|%s', `it's "$HOME"`, 'a  b'], {
    env: { CAPSTAN_PARAM_TEXT: "don't\nstop" },
  }),
];
