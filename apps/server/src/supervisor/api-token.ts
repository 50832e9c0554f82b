import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The API token and its file (0600): the given one, else the one of the last start, else a new one. */
export function apiToken(
  data: string,
  given: string | null,
): { readonly token: string; readonly file: string } {
  const file = join(data, 'api-token');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const token = given ?? (kept === '' ? randomBytes(32).toString('base64url') : kept);
  if (token !== kept) writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return { token, file };
}
