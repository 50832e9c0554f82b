import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from './program.js';
import type { Settings } from './settings.js';

interface Test {
  after(act: () => void): void;
}

/** What a fake server answers to a root field: data, or a function of the variables. */
export type Answers = Readonly<Record<string, unknown>>;

export interface FakeServer {
  readonly settings: Settings;
  /** Bodies of all requests. */
  readonly requests: {
    readonly query: string;
    readonly variables: Record<string, unknown>;
    readonly authorization: string;
  }[];
  /** Cuts this many of the next connections after reading the request. */
  cutNext(times: number): void;
}

/** A server that answers each request with the fields of `answers` that its query names. */
export async function fakeServer(t: Test, answers: Answers): Promise<FakeServer> {
  const requests: FakeServer['requests'] = [];
  let cuts = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        query: string;
        variables: Record<string, unknown>;
      };
      requests.push({ ...body, authorization: request.headers.authorization ?? '' });
      if (cuts > 0) {
        cuts -= 1;
        request.socket.destroy();
        return;
      }
      const data = Object.fromEntries(
        Object.entries(answers)
          .filter(([field]) => new RegExp(`\\b${field}\\b`).test(body.query.slice(body.query.indexOf('{'))))
          .map(([field, value]) => [
            field,
            typeof value === 'function' ? (value as (v: unknown) => unknown)(body.variables) : value,
          ]),
      );
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    settings: settingsFor(t, { url, token: 'test-token' }),
    requests,
    cutNext(times) {
      cuts = times;
    },
  };
}

export function settingsFor(t: Test, given: Partial<Settings> = {}): Settings {
  return { data: folder(t), url: null, token: null, packFolders: [], ...given };
}

export function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'capstan-cli-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

export function fileWith(t: Test, text: string): string {
  const file = join(folder(t), 'intent.yaml');
  writeFileSync(file, text);
  return file;
}

/** One invocation without a terminal. */
export async function cli(settings: Settings, ...args: string[]) {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const into = (chunks: Buffer[]): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
  const code = await run(args, settings, { stdin: Readable.from([]), stdout: into(out), stderr: into(err) });
  const stdout = Buffer.concat(out).toString('utf8');
  return {
    code,
    stdout,
    stderr: Buffer.concat(err).toString('utf8'),
    json: () => JSON.parse(stdout) as Record<string, unknown>,
  };
}
