import { loadavg } from 'node:os';
import { median, round } from './measure.js';
import type { Measured } from './product-path.js';

/** One side after the other, again and again; the ratio is the median of the ratios of each repetition. */
export async function compare(
  name: string,
  sides: {
    readonly floor: () => Promise<number>;
    readonly ours: (i: number, countFlushes: boolean) => Promise<Measured>;
  },
  facts: Record<string, number>,
): Promise<void> {
  const runs = Number(process.env['BENCH_RUNS'] ?? 9);
  const floor: number[] = [];
  const ours: Measured[] = [];
  for (let i = 0; i < runs + 2; i++) {
    const floorMs = await sides.floor();
    const one = await sides.ours(i, false);
    // The first two repetitions fill caches and prepare statements on both sides.
    if (i < 2) continue;
    floor.push(floorMs);
    ours.push(one);
  }
  const { flushes } = await sides.ours(runs + 2, true);
  const ratios = ours.map((one, i) => one.ms / (floor[i] ?? one.ms));
  const result = {
    name,
    ours: round(median(ours.map((o) => o.ms))),
    floor: round(median(floor)),
    ratio: round(median(ratios)),
    unit: 'ms',
    runs,
    ...facts,
    flushes,
    commits: median(ours.map((o) => o.commits)),
    createMs: round(median(ours.map((o) => o.createMs))),
    ratios: ratios.map(round),
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `${name}: ${result.ours} ms, floor ${result.floor} ms, ratio ${result.ratio}, ${result.flushes} WAL flushes, ${result.commits} driver commits (${runs} runs, load ${result.load[0]})`,
    );
}
