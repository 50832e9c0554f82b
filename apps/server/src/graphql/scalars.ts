import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';

function wholeNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new GraphQLError('expected an integer from 0 to 2^53-1');
}

/** GraphQL's own Int ends at 2^31-1: a log of 2 GiB would break it. */
function largeInteger(name: string, description: string): GraphQLScalarType<number, number> {
  return new GraphQLScalarType({
    name,
    description,
    serialize: wholeNumber,
    parseValue: wholeNumber,
    parseLiteral: (node) => wholeNumber(node.kind === Kind.INT ? Number(node.value) : undefined),
  });
}

export const Sequence = largeInteger('Sequence', 'Position in the gap-free event sequence of one operation.');

export const ByteOffset = largeInteger('ByteOffset', 'Offset into stored, already masked bytes.');

export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'RFC 3339 in UTC with milliseconds.',
  serialize: instant,
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

/** Any JSON value. */
export const Json = GraphQLJSON;

function instant(value: unknown): string {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) throw new GraphQLError('expected an RFC 3339 time');
  return time.toISOString();
}
