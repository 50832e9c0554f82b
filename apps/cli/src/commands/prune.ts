import { randomUUID } from 'node:crypto';
import { connect, PROBLEM } from '../client.js';
import { type Console, columns } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';

interface Item {
  readonly kind: string;
  readonly objects: number;
  readonly bytes: number | null;
}

interface Report {
  readonly __typename: string;
  readonly dryRun: boolean;
  /** False: the server stopped before a request takes too long; there is more. */
  readonly complete: boolean;
  readonly items: readonly Item[];
  readonly left: readonly {
    readonly host: string;
    readonly folders: number;
    readonly reason: { readonly text: string } | null;
  }[];
}

const PRUNE = `mutation Prune($input: PruneInput!) { prune(input: $input) { __typename
  ... on PruneReport { dryRun complete items { kind objects bytes } left { host folders reason { text } } }${PROBLEM} } }`;

/** `prune [--dry-run]`: removes what is older than its age, or says what would go, in counts and bytes. */
export async function prune(
  console: Console,
  settings: Settings,
  options: { readonly dryRun?: boolean },
): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const dryRun = options.dryRun === true;
  let items: readonly Item[] = [];
  let left: Report['left'] = [];
  for (let more = true; more; ) {
    const input = { dryRun, idempotencyKey: randomUUID() };
    const pruned = await client.data.ask<Report>('prune', PRUNE, { input });
    if (!pruned.ok) return console.fail(pruned.failure);
    items = added(items, pruned.data.items);
    left = pruned.data.left;
    // One that stopped early and removed nothing waits for a host: asking again would wait as long.
    more = pruned.data.complete === false && pruned.data.items.length > 0;
    if (more) console.note('goes on …');
  }
  console.document({
    dryRun,
    items,
    left: left.map((one) => ({ ...one, reason: one.reason?.text ?? null })),
  });
  console.say(words(dryRun, items.length > 0));
  for (const line of columns(items.map((item) => [item.kind, String(item.objects), bytesText(item.bytes)])))
    console.say(line);
  for (const { host, folders, reason } of left)
    console.note(`${host}: ${folders} run folders stay: ${reason?.text ?? 'the host is not known any more'}`);
  return EXIT.ok;
}

function added(before: readonly Item[], now: readonly Item[]): readonly Item[] {
  const kinds = [...new Set([...before, ...now].map((item) => item.kind))];
  return kinds.map((kind) => {
    const [first, second] = [before, now].map((items) => items.find((item) => item.kind === kind));
    if (!first || !second) return (first ?? second) as Item;
    const bytes = first.bytes === null || second.bytes === null ? null : first.bytes + second.bytes;
    return { kind, objects: first.objects + second.objects, bytes };
  });
}

function words(dryRun: boolean, any: boolean): string {
  if (!any) return 'nothing is old enough';
  return dryRun ? 'would go:' : 'removed:';
}

function bytesText(bytes: number | null): string {
  return bytes === null ? 'on hosts' : `${bytes} bytes`;
}
