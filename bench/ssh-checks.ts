import { loadavg } from 'node:os';
import type { CheckCall } from '@capstan/engine';
import { median, round } from './measure.js';
import { openBenchHost } from './sandbox-host.js';

/**
 * 50 checks on one host beside one: all of a job's checks travel in one round trip and run beside each other there. Beside
 * both stands one check whose shell starts the same 50 programs: what processes cost on this machine, whoever starts them.
 */
const MANY = 50;
const QUESTION = ['/usr/bin/test', '-d', '/etc'];
const BARE = [
  'sh',
  '-c',
  `i=0; while [ $i -lt ${MANY} ]; do ${QUESTION.join(' ')} & i=$((i + 1)); done; wait`,
];
const runs = Number(process.env['BENCH_RUNS'] ?? 9);
const { hosts, host, stop } = await openBenchHost();
try {
  const one: number[] = [];
  const many: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < runs + 2; i++) {
    const [single, all, shell] = [await timed(1), await timed(MANY), await timed(1, BARE)];
    if (i < 2) continue;
    one.push(single);
    many.push(all);
    bare.push(shell);
  }
  const result = {
    name: 'ssh-checks',
    ours: round(median(many)),
    floor: round(median(one)),
    ratio: round(median(many.map((ms, i) => ms / (one[i] ?? ms)))),
    unit: 'ms',
    runs,
    checks: MANY,
    bareMs: round(median(bare)),
    bareRatio: round(median(bare.map((ms, i) => ms / (one[i] ?? ms)))),
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `ssh-checks: ${MANY} checks ${result.ours} ms, one check ${result.floor} ms, ratio ${result.ratio}; a bare shell starting the same ${result.bareMs} ms, ratio ${result.bareRatio} (${runs} runs, load ${result.load[0]})`,
    );
} finally {
  await stop();
}

async function timed(count: number, command: readonly string[] = QUESTION): Promise<number> {
  const calls = Array.from(
    { length: count },
    (_, n): CheckCall => ({
      id: `c${n}`,
      program: {
        script: null,
        command,
        as: 'login',
        params: new TextEncoder().encode('{}'),
        env: {},
        secrets: [],
        inputs: [],
        timeoutMs: 30_000,
      },
    }),
  );
  const started = performance.now();
  const answer = await hosts.check(host, calls, new AbortController().signal);
  const ms = performance.now() - started;
  if (answer.kind === 'blocked' || answer.answers.some((a) => a.exitCode !== 0))
    throw new Error('a check failed');
  return ms;
}
