import { requestFailure } from '../kit/request-failure';
import type { PollResult } from './connection';

/** What a failed request over HTTP means for whoever follows: a server that answers is reachable, whatever it says. */
export function pollResult(error: Parameters<typeof requestFailure>[0] | undefined): PollResult {
  if (error === undefined) return 'refused';
  switch (requestFailure(error).kind) {
    case 'offline':
      return 'unreachable';
    case 'signed_out':
      return 'signed_out';
    default:
      return 'refused';
  }
}
