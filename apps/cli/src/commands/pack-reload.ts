import { connect, PROBLEM } from '../client.js';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';

interface Reloaded {
  readonly __typename: string;
  readonly packs: readonly string[];
}

const RELOAD = `mutation { reloadPacks { __typename ... on ReloadedPacks { packs }${PROBLEM} } }`;

/** `pack reload`: the server reads its pack folders again. */
export async function reloadPacks(console: Console, settings: Settings): Promise<ExitCode> {
  const client = connect(settings);
  if (!client.ok) return console.fail(client.failure);
  const reloaded = await client.data.ask<Reloaded>('reloadPacks', RELOAD, {});
  if (!reloaded.ok) return console.fail(reloaded.failure);
  console.document({ packs: reloaded.data.packs });
  console.say(reloaded.data.packs.join('\n'));
  return EXIT.ok;
}
