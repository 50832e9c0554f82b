import { connect } from '../client.js';
import type { Console } from '../console.js';
import { readDocument } from '../document-file.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { planLines, previewPlan } from '../plan-document.js';
import type { Settings } from '../settings.js';

/** `plan -f FILE`: the server's plan; without a server, or with `--offline`, one in an imagined world. */
export async function plan(
  console: Console,
  settings: Settings,
  options: { file: string; offline?: boolean },
): Promise<ExitCode> {
  const document = await readDocument(options.file);
  if (!document.ok) return console.fail(document.failure);
  const client = options.offline ? null : connect(settings);
  let planned = client?.ok ? await previewPlan(client.data, document) : null;
  const noServer =
    planned === null || (!planned.ok && planned.failure.problems[0]?.code === 'server_not_reached');
  if (planned === null || noServer) {
    if (!options.offline) console.note('No server is running: planned offline, as if the hosts were new.');
    // Loaded here only: reading packs costs more than all the rest of an online verb.
    const { planOffline } = await import('../offline-plan.js');
    planned = await planOffline(document, settings.packFolders);
  }
  if (!planned.ok) return console.fail(planned.failure);
  console.document(planned.data);
  for (const line of planLines(planned.data)) console.say(line);
  return EXIT.ok;
}
