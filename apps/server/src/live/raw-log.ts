import { once } from 'node:events';
import type { LiveLog, Watching } from '@capstan/engine';
import type { Actor } from '@capstan/model';
import type { Request, RequestHandler, Response } from 'express';
import { type ByteRange, byteRange } from './byte-range.js';
import { gapAt } from './log-gap.js';

export interface RawLogParts {
  readonly watching: Watching;
  /** Who sends it, by bearer token or session; null for nobody known. */
  readonly authenticate: (request: Request) => Promise<Actor | null>;
}

/** Read at a time: what one download holds in memory. */
const PIECE_BYTES = 1024 * 1024;

/**
 * `GET` and `HEAD /logs/<attemptId>`: the stored, masked bytes, exactly, whole or one range of them. Offsets are those of
 * the frames. Of output whose middle was not kept a range stops where the gap begins; the whole says in a line what is
 * missing, and so it is another representation, with another ETag.
 */
export function rawLogHandler({ watching, authenticate }: RawLogParts): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.set('Allow', 'GET, HEAD');
      return refuse(response, 405, 'GET and HEAD only');
    }
    const attemptId = /^\/([A-Za-z0-9_-]{1,100})$/.exec(request.path)?.[1];
    if (attemptId === undefined) return next();
    const actor = await authenticate(request);
    if (actor === null) {
      response.set('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'expected Authorization: Bearer <token>, or a session');
    }
    const found = await watching.log(actor, attemptId);
    // Who may not see it is not told that it exists.
    if (!found.ok) return refuse(response, 404, 'there is no such attempt');
    await answer(request, response, found.value, watching);
  };
}

async function answer(request: Request, response: Response, log: LiveLog, watching: Watching): Promise<void> {
  if (log.logPruned) return refuse(response, 410, `removed on ${log.logPruned.at}`);
  const { logSize: size, logCut: cut } = log;
  const etag = `"${log.logEtag}"`;
  response.set({
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': `attachment; filename="${log.attemptId}.log"`,
    'Cache-Control': 'no-store',
    'Accept-Ranges': 'bytes',
    ...(cut ? { 'Capstan-Log-Gap': `bytes ${cut.from}-${cut.to - 1}/${size}` } : {}),
  });
  // A range of what was masked meanwhile would be glued to bytes that are not there any more.
  const condition = request.headers['if-range'];
  const asked = condition === undefined || condition === etag ? request.headers.range : undefined;
  const range = byteRange(asked, size);
  if (range === 'beyond' || (range !== 'whole' && gapAt(range.from, log))) {
    response.set('Content-Range', `bytes */${size}`);
    return refuse(
      response,
      416,
      range === 'beyond' ? `${size} bytes are stored` : 'those bytes were not kept',
    );
  }
  if (range !== 'whole') {
    const kept: ByteRange = {
      from: range.from,
      to: cut && range.from < cut.from ? Math.min(range.to, cut.from - 1) : range.to,
    };
    response.status(206).set({
      ETag: etag,
      'Content-Range': `bytes ${kept.from}-${kept.to}/${size}`,
      'Content-Length': String(kept.to - kept.from + 1),
    });
    return send(request, response, [kept], log, watching);
  }
  if (!cut) {
    response.set({ ETag: etag, 'Content-Length': String(size) });
    return send(request, response, size === 0 ? [] : [{ from: 0, to: size - 1 }], log, watching);
  }
  response.set('ETag', `"${log.logEtag}.whole"`);
  const parts: ByteRange[] = [];
  if (cut.from > 0) parts.push({ from: 0, to: cut.from - 1 });
  if (cut.to < size) parts.push({ from: cut.to, to: size - 1 });
  return send(request, response, parts, log, watching);
}

async function send(
  request: Request,
  response: Response,
  parts: readonly ByteRange[],
  log: LiveLog,
  watching: Watching,
): Promise<void> {
  if (request.method === 'HEAD') return void response.end();
  for (const [index, { from, to }] of parts.entries()) {
    const gap = index > 0 && log.logCut ? gapAt(log.logCut.from, log) : null;
    if (gap) response.write(gap.text);
    for (let at = from; at <= to; ) {
      const bytes = await watching.bytes(log, at, Math.min(PIECE_BYTES, to - at + 1));
      // Masked or removed under the reader: an answer that is cut off is asked for again, a mixed one is believed.
      if (bytes.length === 0 || !(await watching.isSame(log))) return void response.destroy();
      if (!response.write(bytes)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (response.destroyed) return;
      at += bytes.length;
    }
  }
  response.end();
}

function refuse(response: Response, status: number, words: string): void {
  response.removeHeader('Content-Disposition');
  response.status(status).type('text/plain').send(`${words}\n`);
}
