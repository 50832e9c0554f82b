import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { pagePolicy } from './content-security.js';
import type { Identify } from './identify.js';
import { type Origin, webSocketOrigin } from './origin.js';

/** Renders a page; what it is asked for was let through before. */
export type RenderPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface PagesParts {
  readonly render: RenderPage;
  readonly identify: Identify;
  readonly publicOrigins: readonly Origin[];
}

/**
 * The pages, behind a session; only the sign-in and the files of the build are for everybody. What asks for no page gets
 * the answer of the next handler.
 */
export function pages(parts: PagesParts) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (isBuildFile(request.path)) {
      // The name of a file changes with its content; Next says so itself where it is true.
      response.removeHeader('Cache-Control');
      return parts.render(request, response);
    }
    // Browsers ask for it wherever the head of a page has not come whole yet.
    if (request.path === '/favicon.ico') return response.redirect(301, '/icon.svg');
    if (request.path.startsWith('/_next/') || !wantsPage(request)) return next();
    if (request.path !== '/sign-in') {
      const identity = await parts.identify(request, 'read');
      if (identity.kind !== 'known') return toSignIn(request, response);
    }
    const { nonce, policy } = pagePolicy(webSocketOrigin(request, parts.publicOrigins));
    // Next puts the nonce of this request header on its scripts; what a client sent under these names must not reach it.
    request.headers['content-security-policy'] = policy;
    request.headers['x-nonce'] = nonce;
    response.set('Content-Security-Policy', policy);
    return parts.render(request, response);
  };
}

function isBuildFile(path: string): boolean {
  return path.startsWith('/_next/static/') || path === '/icon.svg';
}

/** A navigation says that it takes HTML, the router of the pages has a header of its own; other clients have no use for pages. */
function wantsPage(request: Request): boolean {
  return request.headers.rsc !== undefined || (request.headers.accept ?? '').includes('text/html');
}

/** The page that was asked for goes along in the fragment, which stays in the browser. */
function toSignIn(request: Request, response: Response): void {
  const path = request.originalUrl;
  const from = path === '/' ? '' : `#from=${encodeURIComponent(path)}`;
  response.redirect(303, `/sign-in${from}`);
}
