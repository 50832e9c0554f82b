import { randomUUID } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import type { Actor } from '@capstan/model';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { GraphContext } from '../graphql/context.js';
import { judgeRequest } from '../graphql/limits.js';
import { reportRoutes, safeHeaders } from './content-security.js';
import type { Identify } from './identify.js';
import type { Metrics } from './metrics.js';
import type { Origin } from './origin.js';
import { pages, type RenderPage } from './pages.js';
import { refuse } from './refuse.js';
import { type SignInParts, signInRoutes } from './sign-in.js';
import { welcomePage } from './welcome-page.js';

const BODY_LIMIT = 1024 * 1024;

export interface HttpParts {
  readonly apollo: ApolloServer<GraphContext>;
  readonly identify: Identify;
  readonly signIn: SignInParts;
  readonly publicOrigins: readonly Origin[];
  /** Null: no pages, only a word about where they would be. */
  readonly render: RenderPage | null;
  readonly context: (actor: Actor) => GraphContext;
  /** Answers below `/logs`. */
  readonly rawLog: RequestHandler;
  readonly ready: () => Promise<boolean>;
  readonly metrics: Metrics;
  readonly version: string;
  /** Names this run of the server, so that a second start knows its own. */
  readonly instance: string;
  readonly report: (what: string, error: unknown) => void;
  /** Whether the error says that the database is away, which passes. */
  readonly isAway: (error: unknown) => boolean;
}

/** The front door: what is not listed here is a page or 404. */
export function createHttp(parts: HttpParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(safeHeaders);
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok', instance: parts.instance }));
  app.get('/readyz', async (_request, response) => {
    const ready = await parts.ready().catch(() => false);
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not_ready' });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics());
  });
  app.post('/graphql', measured(parts), onlyJson, authenticated(parts), readBody, judged, graphql(parts));
  app.all('/graphql', (_request, response) => {
    response.set('Allow', 'POST');
    refuse(response, 405, 'BAD_REQUEST', 'send a POST with a JSON body');
  });
  app.use(reportRoutes(parts.metrics.cspReported, (line) => parts.report(line, null)));
  app.use('/auth', signInRoutes(parts.signIn));
  // Before the pages: a link to a log is opened like one.
  app.use('/logs', parts.rawLog);
  const { render, identify, publicOrigins } = parts;
  if (render) app.use(pages({ render, identify, publicOrigins }));
  else app.get('/', (_request, response) => void response.type('html').send(welcomePage(parts.version)));
  app.use((_request, response) => refuse(response, 404, 'BAD_REQUEST', 'nothing is here'));
  app.use(failed(parts));
  return app;
}

function measured(parts: HttpParts) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const began = performance.now();
    response.once('finish', () => {
      const outcome = { 200: 'ok', 401: 'unauthenticated', 500: 'errors' } as const;
      const status = response.statusCode as keyof typeof outcome;
      parts.metrics.answered(outcome[status] ?? 'refused', (performance.now() - began) / 1000);
    });
    next();
  };
}

/** Before a byte of the body is read: a form or another character set never reaches a parser (C31, C33). */
function onlyJson(request: Request, response: Response, next: NextFunction): void {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/.test(type)) return next();
  refuse(response, 415, 'BAD_REQUEST', 'expected Content-Type: application/json; charset=utf-8');
}

function authenticated(parts: HttpParts) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const identity = await parts.identify(request, 'change');
    if (identity.kind === 'known') {
      response.locals.actor = identity.actor;
      return next();
    }
    if (identity.kind === 'refused') return refuse(response, 403, identity.code, identity.message);
    response.set('WWW-Authenticate', 'Bearer');
    refuse(response, 401, 'UNAUTHENTICATED', 'expected Authorization: Bearer <token>, or a session');
  };
}

const readBody = express.json({ limit: BODY_LIMIT, type: () => true, strict: true, inflate: false });

function judged(request: Request, response: Response, next: NextFunction): void {
  const body = request.body as unknown;
  if (!isRequest(body)) {
    return refuse(response, 400, 'BAD_REQUEST', 'expected one object {query, variables?, operationName?}');
  }
  const refusal = judgeRequest(body.query, body.variables ?? {});
  if (refusal) return refuse(response, 400, refusal.code, refusal.message);
  next();
}

function isRequest(body: unknown): body is { query: string; variables?: Record<string, unknown> | null } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const { query, variables } = body as { query?: unknown; variables?: unknown };
  const fits =
    variables === undefined ||
    variables === null ||
    (typeof variables === 'object' && !Array.isArray(variables));
  return typeof query === 'string' && fits;
}

function graphql(parts: HttpParts) {
  return expressMiddleware(parts.apollo, {
    context: ({ res }) => Promise.resolve(parts.context(res.locals.actor as Actor)),
  });
}

/** Express finds an error handler by its four parameters. */
function failed(parts: HttpParts) {
  return (
    error: { status?: number; type?: string },
    _request: Request,
    response: Response,
    next: NextFunction,
  ): void => {
    if (response.headersSent) return next(error);
    const status = error.status ?? 500;
    if (status < 500) {
      const words =
        error.type === 'entity.too.large'
          ? `the body is larger than ${BODY_LIMIT} bytes`
          : 'the body is no JSON';
      return refuse(response, status, 'BAD_REQUEST', words);
    }
    if (parts.isAway(error)) {
      response.set('Retry-After', '1');
      return refuse(response, 503, 'INTERNAL', 'the database does not answer now');
    }
    const correlationId = randomUUID();
    parts.report(`request ${correlationId} failed`, error);
    refuse(response, 500, 'INTERNAL', `something broke here; its id in the log is ${correlationId}`);
  };
}
