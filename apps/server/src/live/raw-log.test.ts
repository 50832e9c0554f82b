import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type LiveReads, Watching } from '@capstan/engine';
import { startFileDatabase } from '@capstan/postgres/testing';
import express from 'express';
import { byteRange } from './byte-range.js';
import { DrivenOperation, PERSON, TOKEN } from './live.test-support.js';
import { rawLogHandler } from './raw-log.js';

const run = promisify(execFile);

const { database: db } = await startFileDatabase({
  logLimits: { head: 1_000, kept: 6_000, step: 1_000, border: 100 },
});
let count = 0;

const CONTENT = Buffer.concat([Buffer.from('one\u0000two é\r\n\u001b[31m'), Buffer.from([0xff, 0xfe, 0x0a])]);

async function attemptWith(content: Uint8Array, piece = 500): Promise<string> {
  const operation = await DrivenOperation.start(db, `r${++count}`, ['a']);
  await operation.commit(operation.step('a').bodies);
  const attempt = operation.state.nodes.get('a')?.attemptId ?? '';
  for (let at = 0; at < content.length; at += piece)
    await db.logs.append(attempt, at, content.subarray(at, at + piece));
  return attempt;
}

interface Test {
  after(act: () => Promise<void> | void): void;
}

/** The handler where the front door has it. */
async function serve(t: Test, live: Partial<LiveReads> = {}): Promise<string> {
  const app = express();
  const watching = new Watching({ live: { ...db.live, ...live }, logs: db.logs });
  const authenticate = ({ headers }: { headers: { authorization?: string } }) =>
    Promise.resolve(headers.authorization === `Bearer ${TOKEN}` ? PERSON : null);
  app.use('/logs', rawLogHandler({ watching, authenticate }));
  const http = createServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/logs`;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What curl gets. */
async function curl(url: string, ...args: string[]): Promise<Answer> {
  const options = ['-s', '-i', '-H', `authorization: Bearer ${TOKEN}`, ...args, url];
  const { stdout } = await run('curl', options, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 });
  const end = stdout.indexOf('\r\n\r\n');
  const [first = '', ...lines] = stdout.subarray(0, end).toString().split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: stdout.subarray(end + 4) };
}

test('what a Range header asks', () => {
  assert.deepEqual(byteRange('bytes=0-3', 10), { from: 0, to: 3 });
  assert.deepEqual(byteRange('bytes=4-', 10), { from: 4, to: 9 });
  assert.deepEqual(byteRange('bytes=-3', 10), { from: 7, to: 9 });
  assert.deepEqual(byteRange('bytes=-30', 10), { from: 0, to: 9 });
  assert.deepEqual(byteRange('bytes=8-99', 10), { from: 8, to: 9 });
  assert.deepEqual(byteRange('bytes=3221225472-', 3_221_225_480), { from: 3_221_225_472, to: 3_221_225_479 });
  for (const ignored of [
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=3-1',
    'bytes=0-1,3-4',
    'lines=0-1',
    'bytes=a-b',
  ])
    assert.equal(byteRange(ignored, 10), 'whole', String(ignored));
  for (const beyond of ['bytes=10-', 'bytes=10-12', 'bytes=-0'])
    assert.equal(byteRange(beyond, 10), 'beyond');
  assert.equal(byteRange('bytes=0-', 0), 'beyond');
});

test('[C18] curl: the exact bytes, whole and by range, as a download that nothing interprets', async (t) => {
  const url = `${await serve(t)}/${await attemptWith(CONTENT)}`;
  const whole = await curl(url);
  assert.equal(whole.status, 200);
  assert.deepEqual(whole.body, CONTENT);
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'content-length', 'accept-ranges', 'cache-control'].map(
      (name) => whole.headers[name],
    ),
    ['text/plain; charset=utf-8', 'nosniff', String(CONTENT.length), 'bytes', 'no-store'],
  );
  assert.match(whole.headers['content-disposition'] ?? '', /^attachment; filename="att_[\w-]+\.log"$/);
  const part = await curl(url, '-r', '4-6');
  assert.deepEqual(
    [part.status, part.body.toString(), part.headers['content-range']],
    [206, 'two', `bytes 4-6/${CONTENT.length}`],
  );
  const last = await curl(url, '-r', '-3');
  assert.deepEqual([last.status, last.body], [206, CONTENT.subarray(-3)]);
  const beyond = await curl(url, '-r', '999-');
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${CONTENT.length}`]);
  const head = await curl(url, '-I');
  assert.deepEqual(
    [head.status, head.body.length, head.headers['content-length']],
    [200, 0, String(CONTENT.length)],
  );
  const several = await curl(url, '-H', 'range: bytes=0-1,3-4');
  assert.deepEqual([several.status, several.body], [200, CONTENT]);
});

test('a download that was cut goes on where it stopped, unless the bytes were masked meanwhile', async (t) => {
  const attempt = await attemptWith(CONTENT);
  const url = `${await serve(t)}/${attempt}`;
  const { etag = '' } = (await curl(url, '-I')).headers;
  const rest = await curl(url, '-r', '4-', '-H', `if-range: ${etag}`);
  assert.deepEqual([rest.status, rest.body, rest.headers.etag], [206, CONTENT.subarray(4), etag]);
  await db.logs.mask(attempt, (bytes) => bytes.map((byte) => (byte === 0x6f ? 0x2a : byte)));
  const anew = await curl(url, '-r', '4-', '-H', `if-range: ${etag}`);
  assert.equal(anew.status, 200);
  assert.notEqual(anew.headers.etag, etag);
  assert.equal(anew.body.subarray(0, 7).toString(), '*ne\u0000tw*');
});

test('masked while it is being sent: the answer is cut off, never mixed', async (t) => {
  const attempt = await attemptWith(CONTENT);
  let looks = 0;
  const url = await serve(t, {
    attemptLog: async (id) => {
      const log = await db.live.attemptLog(id);
      looks += 1;
      return log && { ...log, logEtag: looks > 1 ? 'other' : log.logEtag };
    },
  });
  await assert.rejects(curl(`${url}/${attempt}`), /exit code|Command failed/);
});

test('who is not known, and what does not exist', async (t) => {
  const base = await serve(t);
  const attempt = await attemptWith(CONTENT);
  const stranger = await fetch(`${base}/${attempt}`);
  assert.deepEqual([stranger.status, stranger.headers.get('www-authenticate')], [401, 'Bearer']);
  assert.equal((await curl(`${base}/att_none`)).status, 404);
  assert.equal((await curl(`${base}/..%2f..%2fetc%2fpasswd`)).status, 404);
  assert.equal((await curl(`${base}/${attempt}`, '-X', 'DELETE')).status, 405);
  assert.equal((await curl(`${base}/${await attemptWith(new Uint8Array())}`)).body.length, 0);
});

test('a middle that was not kept: ranges end before it, the whole says so in its place', async (t) => {
  const lines = Buffer.from(
    Array.from({ length: 2_000 }, (_, i) => `${String(i).padStart(9, '0')}\n`).join(''),
  );
  const attempt = await attemptWith(lines);
  const url = `${await serve(t)}/${attempt}`;
  const cut = (await db.live.attemptLog(attempt))?.logCut;
  assert.ok(cut);
  const whole = await curl(url);
  const note = `\n[${cut.to - cut.from} bytes were not kept]\n`;
  assert.deepEqual(
    whole.body,
    Buffer.concat([lines.subarray(0, cut.from), Buffer.from(note), lines.subarray(cut.to)]),
  );
  assert.equal(whole.headers['capstan-log-gap'], `bytes ${cut.from}-${cut.to - 1}/${lines.length}`);
  const across = await curl(url, '-r', `${cut.from - 10}-${cut.to + 10}`);
  assert.deepEqual([across.status, across.body], [206, lines.subarray(cut.from - 10, cut.from)]);
  assert.equal(across.headers['content-range'], `bytes ${cut.from - 10}-${cut.from - 1}/${lines.length}`);
  assert.equal((await curl(url, '-r', `${cut.from}-`)).status, 416);
  const tail = await curl(url, '-r', `${cut.to}-`);
  assert.deepEqual([tail.status, tail.body], [206, lines.subarray(cut.to)]);
  assert.notEqual(tail.headers.etag, whole.headers.etag, 'another representation');
});

test('offsets of 3 GiB, and output that was removed', async (t) => {
  const attempt = await attemptWith(CONTENT);
  const size = 3 * 1024 ** 3;
  const base = await serve(t, {
    attemptLog: async (id) => {
      const log = await db.live.attemptLog(id);
      return log && { ...log, logSize: size, logCut: { from: CONTENT.length, to: size - 4 } };
    },
  });
  t.mock.method(db.logs, 'read', (_id: string, from: number, limit: number) =>
    Promise.resolve(new TextEncoder().encode(`${from}`).subarray(0, limit)),
  );
  const tail = await curl(`${base}/${attempt}`, '-r', `${size - 4}-`);
  assert.deepEqual(
    [tail.status, tail.headers['content-range']],
    [206, `bytes 3221225468-3221225471/3221225472`],
  );
  assert.equal(tail.body.toString(), '3221');
  const removed = await serve(t, {
    attemptLog: async (id) => {
      const log = await db.live.attemptLog(id);
      return log && { ...log, logPruned: { at: '2026-01-01T00:00:00.000Z', sha256: 's' } };
    },
  });
  const gone = await curl(`${removed}/${attempt}`);
  assert.deepEqual([gone.status, gone.body.toString()], [410, 'removed on 2026-01-01T00:00:00.000Z\n']);
});
