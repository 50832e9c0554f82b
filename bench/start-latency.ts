import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import type { AttemptBundle } from '@capstan/engine';
import { round } from './measure.js';
import { openBenchHost } from './sandbox-host.js';

/** From handing an attempt to the host port until the host has confirmed `started` (fsynced there), over SSH to a sandbox host. */
const runs = Number(process.env['BENCH_RUNS'] ?? 40);
const { hosts, host, stop } = await openBenchHost();
try {
  const times: number[] = [];
  for (let i = 0; i < runs + 2; i++) {
    const ms = await confirmed(i);
    if (i >= 2) times.push(ms);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN);
  const result = {
    name: 'start-latency',
    ours: at(0.95),
    floor: null,
    ratio: null,
    unit: 'ms p95',
    runs,
    p50: at(0.5),
    p95: at(0.95),
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `start-latency: p50 ${result.p50} ms, p95 ${result.p95} ms (${runs} runs, load ${result.load[0]})`,
    );
} finally {
  await stop();
}

async function confirmed(i: number): Promise<number> {
  const bundle: AttemptBundle = {
    ref: {
      attemptId: `att_${randomUUID()}`,
      operationId: 'op_bench',
      nodeKey: `n${i}`,
      number: 1,
      fence: '1.1.1',
      runRoot: host.runRoot,
      secretRoot: host.secretRoot,
    },
    program: {
      script: new TextEncoder().encode('#!/bin/sh\ntrue\n'),
      command: null,
      as: 'root',
      params: new TextEncoder().encode('{}'),
      env: {},
      secrets: [],
      inputs: [],
      timeoutMs: 60_000,
    },
    redaction: { values: [], patterns: [] },
    follow: true,
  };
  const begun = performance.now();
  let started = Number.NaN;
  const result = await hosts.run(
    host,
    bundle,
    0,
    {
      started: () => {
        started = performance.now() - begun;
      },
      log: () => Promise.resolve(),
    },
    new AbortController().signal,
  );
  if (result.kind !== 'exited' || result.code !== 0) throw new Error(`ended as ${result.kind}`);
  return started;
}
