import { Command, CommanderError } from 'commander';
import { apply } from './commands/apply.js';
import { getArtifact } from './commands/artifact.js';
import { cancel, retry } from './commands/control.js';
import { GET_KINDS, get } from './commands/get.js';
import { acceptKey, addHost, type HostOptions } from './commands/host.js';
import { logs } from './commands/logs.js';
import { migrate } from './commands/migrate.js';
import { showOperation } from './commands/operation-show.js';
import { reloadPacks } from './commands/pack-reload.js';
import { plan } from './commands/plan.js';
import { prune } from './commands/prune.js';
import { rotateKey } from './commands/rotate-key.js';
import { signIn } from './commands/sign-in.js';
import { Console } from './console.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { Settings } from './settings.js';
import { failure } from './shown-problem.js';

/** Where the CLI speaks and asks. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
}

type Act = (console: Console) => Promise<ExitCode>;

/** Runs one invocation and gives the code to end with. */
export async function run(args: readonly string[], settings: Settings, streams: Streams): Promise<ExitCode> {
  let act: Act | null = null;
  const program = build(
    (chosen) => {
      act = chosen;
    },
    settings,
    streams,
  );
  const console = new Console(
    args.includes('--json'),
    streams as ConstructorParameters<typeof Console>[1],
    isTerminal(streams),
  );
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok; // help and version were printed
    if (error.code === 'commander.help') return EXIT.refused; // a group without its verb: its help was printed
    return console.fail(
      failure(EXIT.refused, 'usage', error.message.replace(/^error: /, ''), 'capstan --help'),
    );
  }
  return act === null ? EXIT.refused : (act as Act)(console);
}

function isTerminal({ stdin, stdout }: Streams): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

function build(choose: (act: Act) => void, settings: Settings, streams: Streams): Command {
  const program = new Command('capstan')
    .description('Say what you want; see why each provider was chosen; watch it proven.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
      // What is wrong with the arguments is said once, by the code that also knows `--json`.
      outputError: () => undefined,
    });
  const add = (parent: Command, usage: string, words: string): Command =>
    parent.command(usage).description(words).option('--json', 'print one JSON document');

  const host = program.command('host').description('machines');
  add(host, 'add NAME', 'make a machine known')
    .requiredOption('--address <address>', 'name or IP address')
    .option('--port <port>', 'SSH port', '22')
    .requiredOption('--user <user>', 'login user, able to use sudo without a password')
    .requiredOption('--key <file>', 'private key file')
    .requiredOption('--host-key <fingerprint>', "SHA256 fingerprint of the host's key")
    .option('--environment <name>', 'environment', 'default')
    .action((name: string, options: HostOptions) => choose((out) => addHost(out, settings, name, options)));
  add(host, 'list', 'show the machines').action(() => choose((out) => get(out, settings, 'hosts')));
  add(host, 'accept-key NAME FINGERPRINT', 'say that the key of a machine is right').action(
    (name: string, fingerprint: string) => choose((out) => acceptKey(out, settings, name, fingerprint)),
  );

  add(program, 'plan', 'show what an intent would do, and why')
    .requiredOption('-f, --file <file>', 'intent; - is standard input')
    .option('--offline', 'without the server, as if the hosts were new')
    .action((options: { file: string; offline?: boolean }) => choose((out) => plan(out, settings, options)));
  add(program, 'apply', 'do what an intent says')
    .requiredOption('-f, --file <file>', 'intent; - is standard input')
    .option('--yes', 'do not ask')
    .option('--wait', 'follow it to its end')
    .action((options: { file: string; yes?: boolean; wait?: boolean }) =>
      choose((out) => apply(out, settings, options)),
    );
  add(program, 'get KIND', `list ${GET_KINDS.join(', ')}`).action((kind: string) =>
    choose((out) => get(out, settings, kind)),
  );
  const operation = program.command('operation').description('runs of plans');
  add(operation, 'show ID', 'show what became of each step').action((ref: string) =>
    choose((out) => showOperation(out, settings, operationRef(ref))),
  );
  add(program, 'logs ID [NODE]', 'show the output of the steps')
    .option('--follow', 'until the operation rests')
    .action((ref: string, node: string | undefined, options: { follow?: boolean }) =>
      choose((out) => logs(out, settings, operationRef(ref), node ?? null, options)),
    );
  add(program, 'cancel ID', 'stop an operation').action((ref: string) =>
    choose((out) => cancel(out, settings, operationRef(ref))),
  );
  add(program, 'retry ID [NODE]', 'try again what stopped').action((ref: string, node: string | undefined) =>
    choose((out) => retry(out, settings, operationRef(ref), node ?? null)),
  );
  const artifact = program.command('artifact').description('what operations made');
  add(artifact, 'get RESOURCE NAME', 'print the value of an artifact')
    .option('--reveal', 'yes, even a secret; this is recorded')
    .action((resource: string, name: string, options: { reveal?: boolean }) =>
      choose((out) => getArtifact(out, settings, resource, name, options)),
    );
  add(program, 'check [FILE...]', 'check Capstan documents of any kind').action((files: string[]) =>
    choose(async (out) => (await import('./commands/check.js')).check(out, files)),
  );
  const pack = program.command('pack').description('folders of scenarios and jobs');
  add(pack, 'check DIR', 'check a whole pack').action((dir: string) =>
    choose(async (out) => (await import('./commands/pack-check.js')).checkPack(out, settings, dir)),
  );
  add(pack, 'reload', 'let the server read its pack folders again').action(() =>
    choose((out) => reloadPacks(out, settings)),
  );
  add(program, 'sign-in', 'print a link that opens the pages, once').action(() =>
    choose((out) => signIn(out, settings)),
  );
  add(program, 'prune', 'remove what is older than its age')
    .option('--dry-run', 'only say what would go')
    .action((options: { dryRun?: boolean }) => choose((out) => prune(out, settings, options)));
  const secrets = program.command('secrets').description('what the server keeps encrypted');
  add(secrets, 'rotate-kek', 'replace the key that encrypts the data keys').action(() =>
    choose((out) => rotateKey(out, settings)),
  );
  add(program, 'migrate', 'bring the database of DATABASE_URL to the schema of this version').action(() =>
    choose((out) => migrate(out)),
  );
  return program;
}

/** `7` is `op-7`; anything else is a number or an id as it stands. */
function operationRef(text: string): string {
  return /^\d+$/.test(text) ? `op-${text}` : text;
}
