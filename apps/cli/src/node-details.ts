import type { Answer, ApiClient } from './client.js';

/** The server accepts at most 1,000 rows in a list of a list, and each node may have ten attempts. */
const KEYS_AT_ONCE = 100;

interface Details<T> {
  readonly operation: { readonly nodeRuns: readonly (T & { readonly key: string })[] } | null;
}

/** What `fields` selects of these nodes of an operation, by key, in the order of the keys. */
export async function nodeDetails<T>(
  client: ApiClient,
  ref: string,
  keys: readonly string[],
  fields: string,
): Promise<Answer<ReadonlyMap<string, T>>> {
  const query = `query Details($ref: String!, $keys: [String!]) {
    operation(ref: $ref) { nodeRuns(keys: $keys) { key ${fields} } } }`;
  const found = new Map<string, T>();
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const answer: Answer<Details<T>> = await client.call(query, {
      ref,
      keys: keys.slice(from, from + KEYS_AT_ONCE),
    });
    if (!answer.ok) return answer;
    for (const run of answer.data.operation?.nodeRuns ?? []) found.set(run.key, run);
  }
  return { ok: true, data: found };
}
