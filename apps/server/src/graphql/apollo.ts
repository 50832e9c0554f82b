import { randomUUID } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import type { GraphContext } from './context.js';
import { REQUEST_LIMITS } from './limits.js';

/**
 * Apollo over this schema. Only five error codes leave it; what was not expected leaves as an id only. While the
 * database is away the status is 503: the same request may be sent again, its idempotency key makes it happen once.
 */
export function createApollo(
  schema: GraphQLSchema,
  report: (what: string, error: unknown) => void,
  isAway: (error: unknown) => boolean,
): ApolloServer<GraphContext> {
  return new ApolloServer<GraphContext>({
    schema,
    csrfPrevention: true,
    introspection: true, // requests without a token never get here
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxTokens: REQUEST_LIMITS.tokens },
    stopOnTerminationSignals: false,
    plugins: [unavailable(isAway)],
    formatError: (formatted, error) => formatError(formatted, error, report),
  });
}

function unavailable(isAway: (error: unknown) => boolean): ApolloServerPlugin<GraphContext> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        willSendResponse({ errors, response }) {
          if (errors?.some((error) => isAway(error.originalError))) {
            response.http.status = 503;
            response.http.headers.set('retry-after', '1');
          }
          return Promise.resolve();
        },
      }),
  };
}

const BAD_REQUEST = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);
const KEPT = new Set(['UNAUTHENTICATED', 'RATE_LIMITED', 'TOO_EXPENSIVE']);

function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  report: (what: string, error: unknown) => void,
): GraphQLFormattedError {
  const { message, locations, path } = formatted;
  const code = String(formatted.extensions?.code ?? '');
  const where = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
  if (BAD_REQUEST.has(code)) return { message, ...where, extensions: { code: 'BAD_REQUEST' } };
  if (KEPT.has(code)) return { message, ...where, extensions: { code } };
  const correlationId = randomUUID();
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  report(`request ${correlationId} failed at ${path?.join('.') ?? 'the request itself'}`, cause);
  const words = `something broke here; its id in the log is ${correlationId}`;
  return { message: words, ...where, extensions: { code: 'INTERNAL', correlationId } };
}
