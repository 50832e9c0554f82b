import type { Answer, ApiClient } from './client.js';

/** Every row of a connection, 100 at a time. `query` takes `$after: String` and selects the connection as `field`. */
export async function allPages<T>(
  client: ApiClient,
  field: string,
  query: string,
): Promise<Answer<readonly T[]>> {
  const rows: T[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: Answer<Record<string, Page<T>>> = await client.call(query, { after });
    if (!answer.ok) return answer;
    const page: Page<T> | undefined = answer.data[field];
    if (!page) return { ok: true, data: rows };
    rows.push(...page.nodes);
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { ok: true, data: rows };
  }
}

interface Page<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
