import { allPages } from '../all-pages.js';
import { type Answer, type ApiClient, connect } from '../client.js';
import { type Console, columns } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type ApiReason, REASON, reasonString } from '../operation-view.js';
import { resourceCard, type ShownResource } from '../resource-card.js';
import type { Settings } from '../settings.js';
import { failure } from '../shown-problem.js';

interface Shown {
  /** The value beside the kind's name in `--json`. */
  readonly rows: readonly unknown[];
  readonly lines: readonly string[];
}

interface Named {
  readonly name: string;
}

const KINDS: Readonly<Record<string, (client: ApiClient) => Promise<Answer<Shown>>>> = {
  resources: async (client) => {
    type Row = Omit<ShownResource, 'environment'> & { readonly environment: Named };
    const query = `query($after: String) { resources(first: 100, after: $after) {
      nodes { key type environment { name } facts { capability state attributes provenance } } ${PAGE} } }`;
    return shown(await allPages<Row>(client, 'resources', query), (found) => {
      const rows = found.map((row) => ({ ...row, environment: row.environment.name }));
      return { rows, lines: rows.flatMap((row) => [...resourceCard(row), '']).slice(0, -1) };
    });
  },
  operations: async (client) => {
    interface Row {
      readonly number: string;
      readonly status: string;
      readonly reason: ApiReason | null;
      readonly title: { readonly text: string };
      readonly resource: { readonly key: string } | null;
      readonly environment: Named;
      readonly createdAt: string;
    }
    const query = `query($after: String) { operations(first: 100, after: $after) { nodes { id number sequence status ${REASON}
      title { text } resource { key } environment { name } createdAt endedAt } ${PAGE} } }`;
    return shown(await allPages<Row>(client, 'operations', query), (found) => ({
      rows: found.map((row) => ({
        ...row,
        reason: reasonString(row.reason),
        title: row.title.text,
        resource: row.resource?.key ?? null,
        environment: row.environment.name,
      })),
      lines: columns(
        found.map((row) => [
          row.number,
          row.status,
          row.resource?.key ?? '',
          row.createdAt.slice(0, 19),
          row.title.text,
          row.reason?.text ?? '',
        ]),
      ),
    }));
  },
  hosts: async (client) => {
    interface Row {
      readonly name: string;
      readonly environment: Named;
      readonly address: string;
      readonly port: number;
      readonly user: string;
      readonly hostKeyFingerprint: string | null;
      readonly tier: string;
      readonly provenance: string;
      readonly isolated: boolean;
    }
    const query = `query($after: String) { hosts(first: 100, after: $after) { nodes { id name key environment { name } address
      port user hostKeyFingerprint provenance isolated tier } ${PAGE} } }`;
    return shown(await allPages<Row>(client, 'hosts', query), (found) => ({
      rows: found.map((row) => ({ ...row, environment: row.environment.name })),
      lines: columns(
        found.map((row) => [
          row.name,
          row.environment.name,
          `${row.user}@${row.address}:${row.port}`,
          row.hostKeyFingerprint ?? 'key never accepted',
          row.tier === 'own' ? '' : `${row.tier}${row.isolated ? '' : ', not isolated'}`,
        ]),
      ),
    }));
  },
  scenarios: async (client) => {
    interface Row {
      readonly ref: string;
      readonly title: { readonly text: string };
      readonly action: string;
      readonly targetResourceType: string;
      readonly risk: string;
    }
    const query = `query($after: String) { scenarios(first: 100, after: $after) { nodes { ref id version pack title { text }
      action targetResourceType params risk provides } ${PAGE} } }`;
    return shown(await allPages<Row>(client, 'scenarios', query), (found) => ({
      rows: found.map((row) => ({ ...row, title: row.title.text })),
      lines: columns(
        found.map((row) => [
          row.ref,
          `${row.action} ${row.targetResourceType}`,
          `risk ${row.risk}`,
          row.title.text,
        ]),
      ),
    }));
  },
  packs: async (client) => {
    interface Row {
      readonly name: string;
      readonly version: string;
      readonly publisher: string;
      readonly title: { readonly text: string };
      readonly summary: { readonly text: string } | null;
    }
    const query = `query($after: String) { packs(first: 100, after: $after) { nodes { name version title { text } summary { text }
      publisher digest scenarios resourceTypes } ${PAGE} } }`;
    return shown(await allPages<Row>(client, 'packs', query), (found) => ({
      rows: found.map((row) => ({ ...row, title: row.title.text, summary: row.summary?.text ?? null })),
      lines: columns(found.map((row) => [row.name, row.version, row.publisher, row.title.text])),
    }));
  },
  environments: async (client) => {
    const answer = await client.call<{ environments: readonly (Named & { kind: string })[] }>(
      '{ environments { name kind } }',
    );
    if (!answer.ok) return answer;
    const rows = answer.data.environments;
    return { ok: true, data: { rows, lines: columns(rows.map((row) => [row.name, row.kind])) } };
  },
};

const PAGE = 'pageInfo { hasNextPage endCursor }';

/** What `get` can list. */
export const GET_KINDS = Object.keys(KINDS);

/** `get KIND`: everything of one kind. */
export async function get(console: Console, settings: Settings, kind: string): Promise<ExitCode> {
  const list = KINDS[kind];
  if (!list)
    return console.fail(
      failure(EXIT.refused, 'usage', `there is nothing called ${kind} to get`, GET_KINDS.join(', ')),
    );
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const answer = await list(client.data);
  if (!answer.ok) return console.fail(answer.failure);
  console.document({ [kind]: answer.data.rows });
  if (answer.data.rows.length === 0) console.note(`no ${kind} yet`);
  for (const line of answer.data.lines) console.say(line);
  return EXIT.ok;
}

function shown<T>(answer: Answer<readonly T[]>, map: (rows: readonly T[]) => Shown): Answer<Shown> {
  return answer.ok ? { ok: true, data: map(answer.data) } : answer;
}
