import { randomBytes } from 'node:crypto';
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { AttemptLimit } from './attempt-limit.js';

/** Where browsers tell what a policy stopped. */
const REPORTS = '/auth/csp-report';
const LOGGED_PER_MINUTE = 20;

/** For every answer: what is no page runs nothing, and nothing is kept, since answers may hold a revealed secret. */
export function safeHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  next();
}

/** The policy of one page: only scripts with this answer's nonce and what they load. Style attributes position things. */
export function pagePolicy(webSocket: string | null): { readonly nonce: string; readonly policy: string } {
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'${webSocket === null ? '' : ` ${webSocket}`}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `report-uri ${REPORTS}`,
  ].join('; ');
  return { nonce, policy };
}

/** Takes the reports of browsers: each is counted, some are logged. Anybody may send them, so little is believed. */
export function reportRoutes(count: () => void, log: (line: string) => void): Router {
  const router = Router();
  const limit = new AttemptLimit(LOGGED_PER_MINUTE);
  const types = ['application/csp-report', 'application/reports+json', 'application/json'];
  router.post(REPORTS, express.json({ limit: 16_384, type: types }), (request, response) => {
    count();
    if (limit.take('')) log(`a page broke its content security policy: ${summary(request.body)}`);
    response.status(204).end();
  });
  return router;
}

function summary(body: unknown): string {
  const report = (body as { 'csp-report'?: Record<string, unknown> } | undefined)?.['csp-report'] ?? {};
  const { 'violated-directive': directive, 'blocked-uri': blocked, 'source-file': source } = report;
  return JSON.stringify({ directive, blocked, source }).slice(0, 500);
}
