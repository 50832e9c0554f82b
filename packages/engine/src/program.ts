import type {
  ArtifactInput,
  Check,
  Job,
  JsonValue,
  Plan,
  PlannedArtifact,
  PlannedValue,
  Reason,
} from '@capstan/model';
import { CapstanError, canonicalHash, hostName, reason } from '@capstan/model';
import type { ArtifactShelf } from './artifact-shelf.js';
import type { EngineDependencies } from './dependencies.js';
import type { HostFile, HostProgram } from './ports/host-port.js';

/** A program with what decides whether it is the same work as before, and every secret byte it carries. */
export interface BoundProgram {
  readonly program: HostProgram;
  readonly inputHash: string;
  readonly secretValues: readonly Uint8Array[];
}

export type BindResult =
  | { readonly kind: 'bound'; readonly bound: BoundProgram }
  | { readonly kind: 'blocked'; readonly reason: Reason };

/** One environment string over 128 KiB makes exec fail, so a longer scalar stays in `$CAPSTAN_PARAMS` only. */
const ENV_LIMIT = 64 * 1024;

/** Joins a job or check with its values: plain ones as JSON, secret ones as files, never the other way round (L10). */
export async function bindProgram(
  deps: Pick<EngineDependencies, 'packs' | 'secrets' | 'blobs'>,
  plan: Plan,
  what: {
    readonly spec: Job | Check;
    readonly params: Readonly<Record<string, PlannedValue>>;
    readonly inputs: readonly PlannedArtifact[];
    readonly target: string;
  },
  shelf: ArtifactShelf,
): Promise<BindResult> {
  const { spec } = what;
  const isJob = 'contract' in spec;
  const run = isJob ? spec.run : spec;
  if (!run) throw new CapstanError('no_run', `${spec.pack}:${spec.id} has nothing to run`);
  const params: Record<string, JsonValue> = {};
  const identities: Record<string, JsonValue> = {};
  const secrets: HostFile[] = [];
  const inputs: HostFile[] = [];
  for (const [name, value] of Object.entries(what.params)) {
    if (value.kind === 'value') {
      params[name] = value.value;
      continue;
    }
    const bytes =
      value.kind === 'secret'
        ? await deps.secrets.get(value.ref)
        : await shelf.bytes(value.owner, value.name);
    if (!bytes) return missing(name);
    secrets.push({ name, bytes, sensitive: true });
    identities[`secret:${name}`] = deps.secrets.fingerprint(bytes);
  }
  const many = repeated(what.inputs);
  for (const input of what.inputs) {
    const record = shelf.find(input.owner, input.name);
    const bytes = record ? await shelf.bytes(input.owner, input.name) : null;
    if (!record || !bytes) {
      if (input.optional) continue;
      return missing(input.name);
    }
    inputs.push({
      name: many.has(input.name) ? `${input.name}/${hostName(input.owner)}` : input.name,
      bytes,
      sensitive: record.sensitive,
    });
    // S8: a new token must not make a finished join stale, so some artifacts count by existence only.
    identities[`artifact:${input.owner}/${input.name}`] =
      input.identity === 'content' ? record.contentHash : true;
  }
  const script = run.script === undefined ? null : await readScript(deps, plan, spec.pack, run.script);
  return {
    kind: 'bound',
    bound: {
      program: {
        script,
        command: run.command ?? null,
        as: run.as,
        params: new TextEncoder().encode(JSON.stringify(params)),
        env: environment(params),
        secrets,
        inputs,
        timeoutMs: run.timeoutMs,
      },
      inputHash: canonicalHash('capstan/input/v1', {
        digest: spec.digest,
        params,
        identities,
        target: what.target,
      }),
      secretValues: [...secrets, ...inputs].filter((f) => f.sensitive).map((f) => f.bytes),
    },
  };
}

async function readScript(
  deps: Pick<EngineDependencies, 'packs'>,
  plan: Plan,
  packName: string,
  path: string,
): Promise<Uint8Array> {
  const pack = plan.packs.find((p) => p.name === packName);
  const bytes = pack ? await deps.packs.file(pack.digest, path) : null;
  if (!bytes)
    throw new CapstanError('pack_file_lost', `${packName} has no file ${path} in its pinned version`);
  return bytes;
}

function environment(params: Readonly<Record<string, JsonValue>>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const text = String(value);
    if (new TextEncoder().encode(text).length <= ENV_LIMIT) env[`CAPSTAN_PARAM_${name.toUpperCase()}`] = text;
  }
  return env;
}

function repeated(inputs: readonly PlannedArtifact[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const i of inputs) (seen.has(i.name) ? twice : seen).add(i.name);
  return twice;
}

function missing(name: ArtifactInput['name']): BindResult {
  return { kind: 'blocked', reason: reason('input_missing', { input: name }) };
}
