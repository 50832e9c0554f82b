import { GraphQLError } from 'graphql';
import { type ClassType, Field, ObjectType } from 'type-graphql';

@ObjectType()
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Give it as `after` for the next page.' })
  endCursor!: string | null;
}

export interface Edge<T> {
  readonly cursor: string;
  readonly node: T;
}

export interface Page<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly Edge<T>[];
  readonly pageInfo: PageInfo;
}

/** Makes the types `<Name>Connection` and `<Name>Edge` for what grows without bound. */
export function connectionOf<T extends object>(name: string, node: () => object): ClassType<Page<T>> {
  @ObjectType(`${name}Edge`)
  class ConnectionEdge implements Edge<T> {
    @Field(() => String)
    cursor!: string;

    @Field(() => node())
    node!: T;
  }
  @ObjectType(`${name}Connection`)
  class Connection implements Page<T> {
    @Field(() => [node()])
    nodes!: readonly T[];

    @Field(() => [ConnectionEdge])
    edges!: readonly Edge<T>[];

    @Field(() => PageInfo)
    pageInfo!: PageInfo;
  }
  return Connection;
}

/** `first` is required by the schema and at most 100. */
export function pageSize(first: number): number {
  if (Number.isInteger(first) && first >= 1 && first <= 100) return first;
  throw new GraphQLError('first: expected 1 to 100', { extensions: { code: 'BAD_REQUEST' } });
}

/** A page of rows that were asked for with one more than wanted: that one tells whether there is another page. */
export function pageOf<R, T>(
  rows: readonly R[],
  first: number,
  cursor: (row: R) => string,
  map: (row: R) => T,
): Page<T> {
  const edges = rows.slice(0, first).map((row) => ({ cursor: cursor(row), node: map(row) }));
  return {
    nodes: edges.map((edge) => edge.node),
    edges,
    pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null },
  };
}

/** A page of a list that is in memory and ordered by its cursor (code-unit order). */
export function pageOfAll<R, T>(
  all: readonly R[],
  first: number,
  after: string | null | undefined,
  cursor: (row: R) => string,
  map: (row: R) => T,
): Page<T> {
  const sorted = [...all].sort((a, b) => (cursor(a) < cursor(b) ? -1 : 1));
  const rest = typeof after !== 'string' ? sorted : sorted.filter((row) => cursor(row) > after);
  return pageOf(rest.slice(0, pageSize(first) + 1), first, cursor, map);
}
