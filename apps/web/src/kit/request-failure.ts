/** Why a request brought no data. `text` is the server's sentence. */
export type RequestFailure =
  | { readonly kind: 'offline' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'wrong_origin' | 'not_allowed'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string; readonly correlationId: string };

/** The part of urql's CombinedError that is read. */
interface Failed {
  readonly message: string;
  readonly networkError?: Error;
  readonly graphQLErrors: readonly {
    readonly message: string;
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

/** Tells from codes, never from words, what a failed request means for the person. */
export function requestFailure(error: Failed): RequestFailure {
  const [first] = error.graphQLErrors;
  if (first === undefined) return error.networkError ? { kind: 'offline' } : failed(error.message);
  switch (first.extensions.code) {
    case 'UNAUTHENTICATED':
      return { kind: 'signed_out' };
    case 'WRONG_ORIGIN':
      return { kind: 'wrong_origin', text: first.message };
    case 'FORBIDDEN':
      return { kind: 'not_allowed', text: first.message };
    default:
      return failed(first.message, first.extensions.correlationId);
  }
}

function failed(text: string, correlationId?: unknown): RequestFailure {
  return { kind: 'failed', text, correlationId: typeof correlationId === 'string' ? correlationId : '' };
}
