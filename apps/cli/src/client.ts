import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from './exit-code.js';
import type { Settings } from './settings.js';
import { type Failure, failure, refusal, type ShownProblem } from './shown-problem.js';

/** A typed problem as every result union gives it. */
export interface ApiProblem {
  readonly __typename: string;
  readonly code: string;
  readonly text: { readonly text: string };
  readonly problems: readonly {
    readonly code: string;
    readonly text: { readonly text: string };
    readonly file: string | null;
    readonly line: number | null;
    readonly column: number | null;
    readonly expected: string | null;
  }[];
}

/** What to select of a problem, in every result union. */
export const PROBLEM = `
  ... on Problem { code text { text } problems { code text { text } file line column expected } }`;

export type Answer<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: Failure };

/** For a server of which nothing more is known. */
const RETRY_MS = [150, 400, 1_000];
/** For one whose supervisor lives: it is starting the part that answers again. */
const RESTART_MS = [150, 400, 1_000, 2_000, 3_000, 4_000, 5_000, 5_000, 5_000, 5_000];

/** The API of one server. A call that was cut is sent again with the same idempotency key, so it happens once. */
export class ApiClient {
  constructor(
    private readonly url: URL,
    private readonly token: string,
    private readonly retryMs: readonly number[] = RETRY_MS,
  ) {}

  async call<T>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Answer<T>> {
    return this.post('graphql', { query, variables });
  }

  /** A POST to another path than that of GraphQL, which answers in its form. */
  async post<T>(path: string, content: Readonly<Record<string, unknown>> = {}): Promise<Answer<T>> {
    const body = JSON.stringify(content);
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#send<T>(path, body);
      const wait = this.retryMs[attempt];
      if (answer !== 'cut') return answer;
      if (wait === undefined)
        return { ok: false, failure: notReached(`nothing answers at ${this.url.href}`) };
      await sleep(wait);
    }
  }

  /** A call whose field is a union of one success type and problems. */
  async ask<T extends { readonly __typename: string }>(
    field: string,
    query: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Answer<T>> {
    const answer = await this.call<Record<string, T | ApiProblem>>(query, variables);
    if (!answer.ok) return answer;
    const result = answer.data[field];
    if (result === undefined)
      return { ok: false, failure: failure(EXIT.failed, 'server_error', `the server left out ${field}`) };
    return isProblem(result)
      ? { ok: false, failure: refusal(problemsOf(result)) }
      : { ok: true, data: result };
  }

  async #send<T>(path: string, body: string): Promise<Answer<T> | 'cut'> {
    let response: Response;
    let answer: { data?: T | null; errors?: { message: string; extensions?: { code?: string } }[] };
    try {
      response = await fetch(new URL(path, this.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
        body,
        signal: AbortSignal.timeout(60_000),
      });
      answer = (await response.json()) as typeof answer;
    } catch {
      return 'cut'; // refused, reset, or half an answer: all mean that the server is not there now
    }
    if (response.status === 503) return 'cut';
    if (answer.data && !answer.errors) return { ok: true, data: answer.data };
    const error = answer.errors?.[0];
    if (response.status === 401) {
      const hint = 'CAPSTAN_TOKEN, or the token file of this server';
      return {
        ok: false,
        failure: failure(EXIT.failed, 'unauthenticated', `${this.url.href} does not know this token`, hint),
      };
    }
    const isOurs = error?.extensions?.code === 'BAD_REQUEST' || error?.extensions?.code === 'TOO_EXPENSIVE';
    const words = error?.message ?? `${this.url.href} answered ${response.status}`;
    return { ok: false, failure: failure(isOurs ? EXIT.refused : EXIT.failed, 'server_error', words) };
  }
}

/** Where the server is and how to enter it: `CAPSTAN_URL` and `CAPSTAN_TOKEN`, else what the data folder says. */
export function connect(settings: Settings): Answer<ApiClient> {
  const server = readServer(settings.data);
  const address = settings.url ?? server?.url;
  if (address === undefined) return { ok: false, failure: notReached(`no server runs on ${settings.data}`) };
  let url: URL;
  try {
    url = new URL(address.endsWith('/') ? address : `${address}/`);
  } catch {
    return {
      ok: false,
      failure: failure(
        EXIT.refused,
        'usage',
        `CAPSTAN_URL=${address} is no address`,
        'http://127.0.0.1:4400',
      ),
    };
  }
  const token = settings.token ?? readToken(server?.tokenFile);
  if (token === null) {
    return {
      ok: false,
      failure: failure(EXIT.failed, 'unauthenticated', 'there is no token for this server', 'CAPSTAN_TOKEN'),
    };
  }
  const restarts = settings.url === null && server !== null && isAlive(server.pid);
  return { ok: true, data: new ApiClient(url, token, restarts ? RESTART_MS : RETRY_MS) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function problemsOf(problem: ApiProblem): readonly ShownProblem[] {
  return problem.problems.map(({ text, ...rest }) => ({ ...rest, text: text.text }));
}

function isProblem(result: { readonly __typename: string }): result is ApiProblem {
  return 'problems' in result && 'code' in result;
}

/** What the server writes to `server.json`. */
interface ServerFile {
  readonly url: string;
  readonly pid: number;
  readonly tokenFile: string;
}

function notReached(words: string): Failure {
  return failure(EXIT.failed, 'server_not_reached', `${words}: start it with npm start`);
}

function readServer(data: string): ServerFile | null {
  try {
    return JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as ServerFile;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR' || error instanceof SyntaxError)
      return null;
    throw error;
  }
}

function readToken(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EACCES') return null;
    throw error;
  }
}
