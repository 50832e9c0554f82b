import { connect } from '../client.js';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';

/** `sign-in`: prints a link that opens the pages once, within its 15 minutes. */
export async function signIn(console: Console, settings: Settings): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const link = await client.data.post<{ readonly url: string; readonly expiresAt: string }>('auth/codes');
  if (!link.ok) return console.fail(link.failure);
  console.document(link.data);
  console.say(link.data.url);
  console.note('it works once, for 15 minutes');
  return EXIT.ok;
}
