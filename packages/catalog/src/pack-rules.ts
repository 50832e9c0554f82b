import type { Pack, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { missingKeys } from './completeness.js';
import { jobPlace } from './host-expression.js';
import { bareName } from './name-parts.js';
import type { NormalArtifactInput, NormalContract } from './normal-documents.js';
import { documentsOf, type PackDraft, type Placed } from './pack-draft.js';
import { HOST_TYPE, type PackScope } from './pack-scope.js';
import { ProblemList } from './problem-list.js';
import { declarations, references } from './references.js';
import type { Path } from './source-document.js';

/** What is wrong between the documents of a pack, and between it and the packs that it needs. */
export function checkPackDraft(draft: PackDraft, scope: PackScope): readonly Problem[] {
  return [
    ...checkDuplicates(draft),
    ...draft.documents.flatMap((document) => {
      const problems = new ProblemList(document.checked);
      checkComplete(document, problems);
      checkReferences(document, scope, problems);
      if (document.kind === 'job') checkHostOutputs(document.normal.job, scope, problems);
      if (document.kind === 'job' || document.kind === 'check') checkRights(document, draft, scope, problems);
      return problems.problems;
    }),
  ];
}

function checkDuplicates(draft: PackDraft): readonly Problem[] {
  const seen = new Map<string, { readonly document: Placed; readonly path: Path }>();
  return draft.documents.flatMap((document) =>
    declarations(document).flatMap(({ what, name, path }): Problem[] => {
      const first = seen.get(`${what} ${name}`);
      if (first === undefined) seen.set(`${what} ${name}`, { document, path });
      // Twice in one document, or two heads, is told already.
      if (first === undefined || first.document === document || what === 'pack') return [];
      return [
        {
          code: 'duplicate_id',
          text: words('doc.duplicate_id', { what, name }),
          place: document.checked.place(path),
          alsoAt: [first.document.checked.place(first.path)],
          expected: `each ${what} once`,
        },
      ];
    }),
  );
}

/** What is only incomplete is valid as a document and refused as a part of a pack (S36). */
function checkComplete(document: Placed, problems: ProblemList): void {
  const root: Path =
    document.kind === 'job' || document.kind === 'check' || document.kind === 'scenario'
      ? [document.kind]
      : [];
  const missing = document.kind === 'pack' ? [] : missingKeys(document);
  if (missing.length > 0)
    problems.add(
      'incomplete',
      'doc.incomplete',
      { what: document.kind, missing: missing.map((key) => `key ${key}`).join(', ') },
      root,
      missing.join(', '),
      { atKey: true },
    );
}

function checkReferences(document: Placed, scope: PackScope, problems: ProblemList): void {
  for (const { what, name, path } of references(document)) {
    if (what === 'pack' || scope.has(what, name)) continue;
    if (what === 'script') {
      const known = scope.names('script');
      problems.add('missing_file', 'doc.missing_file', { path: name }, path, nearestFile(name, known));
    } else problems.unknown(what.replace('_', ' '), name, path, scope.names(what));
  }
}

function nearestFile(name: string, known: readonly string[]): string {
  const sameName = known.find((path) => path.split('/').at(-1) === name.split('/').at(-1));
  if (sameName !== undefined) return `did you mean ${sameName}?`;
  return known.length === 0
    ? 'the file in the folder of the pack'
    : `the file, or one of ${known.slice(0, 12).join(', ')}`;
}

/** A job that runs on every member proves a fact of each: the one of the cluster would be "true after the first" (S14). */
function checkHostOutputs(
  job: NormalContract & { readonly target?: string },
  scope: PackScope,
  problems: ProblemList,
): void {
  if (job.target === undefined || jobPlace(job.target).kind !== 'each') return;
  for (const [index, { capability, on }] of job.outputs.capabilities.entries()) {
    const of = scope.capability(capability)?.of;
    const isHost = on === 'host' || (on === undefined && of === HOST_TYPE);
    if (isHost || of === undefined || of === null) continue;
    problems.add(
      'invalid_value',
      'doc.each_gives_host_only',
      { capability, of },
      ['job', 'outputs', 'capabilities', index],
      'a capability of the host; a roll-up of the stage turns those of all hosts into one of the target',
    );
  }
}

/** Root, and secrets of other packs, only as the pack's permissions say (S30). */
function checkRights(document: Placed, draft: PackDraft, scope: PackScope, problems: ProblemList): void {
  const permissions = documentsOf(draft.documents, 'pack').map(({ normal }) => normal.permissions);
  const allowed = permissions.flatMap((permission) => permission?.artifacts ?? []).map(bareName);
  const [user, userPath, inputs, inputsPath] = rightsOf(document);
  // A pack without any permissions is noted when it is loaded; one that lists some must list this one. A check that
  // changes the user always needs it: it is read-only by promise alone.
  const asks = permissions.some((permission) => permission?.sudo === true);
  const lists = permissions.some((permission) => permission !== undefined);
  if (user !== undefined && !asks && (lists || document.kind === 'check'))
    problems.add(
      'not_allowed',
      'doc.needs_sudo',
      { user },
      userPath,
      'permissions: {sudo: true} in the pack, or as: login',
    );
  for (const [index, { name }] of inputs.entries()) {
    const artifact = scope.artifact(name);
    if (
      artifact === null ||
      !artifact.sensitive ||
      artifact.pack === scope.name ||
      allowed.includes(artifact.name)
    )
      continue;
    problems.add(
      'not_allowed',
      'doc.needs_artifact_permission',
      { artifact: `${artifact.pack}:${artifact.name}` },
      [...inputsPath, index],
      `permissions: {artifacts: [${artifact.pack}:${artifact.name}]} in the pack`,
    );
  }
}

function rightsOf(
  document: Placed,
): readonly [string | undefined, Path, readonly NormalArtifactInput[], Path] {
  if (document.kind === 'job')
    return [
      document.normal.job.run?.as,
      ['job', 'run', 'as'],
      document.normal.job.inputs.artifacts,
      ['job', 'inputs', 'artifacts'],
    ];
  if (document.kind === 'check')
    return [
      document.normal.check.as,
      ['check', 'as'],
      document.normal.check.inputs?.artifacts ?? [],
      ['check', 'inputs', 'artifacts'],
    ];
  return [undefined, [], [], []];
}

/**
 * Names that another pack declares too: a capability or artifact of one name would mean either, unless one says that it
 * implements the other's (S30).
 */
export function checkForeignNames(draft: PackDraft, others: readonly Pack[]): readonly Problem[] {
  return documentsOf(draft.documents, 'pack').flatMap(({ normal, checked }) => {
    const problems = new ProblemList(checked);
    const clash = (
      what: string,
      name: string,
      path: Path,
      implemented: string | undefined,
      has: (pack: Pack) => boolean,
    ): void => {
      const owner = others.find((pack) => pack.name !== draft.head?.name && has(pack));
      if (owner !== undefined && owner.name !== implemented)
        problems.add(
          'duplicate_id',
          'doc.foreign_name',
          { what, name, pack: owner.name },
          path,
          `another name, or implements: ${owner.name}`,
        );
      else if (owner === undefined && implemented !== undefined)
        problems.unknown('pack with this name', implemented, path, []);
    };
    for (const [index, type] of (normal.capabilities ?? []).entries())
      clash('capability', type.id, ['capabilities', index, 'id'], type.implements, ({ capabilities }) =>
        capabilities.some(({ id }) => id === type.id),
      );
    for (const [index, type] of (normal.artifacts ?? []).entries())
      clash('artifact', type.name, ['artifacts', index, 'name'], type.implements, ({ artifacts }) =>
        artifacts.some(({ name }) => name === type.name),
      );
    for (const [index, type] of (normal.resource_types ?? []).entries()) {
      clash('resource type', type.id, ['resource_types', index, 'id'], undefined, ({ resourceTypes }) =>
        resourceTypes.some(({ id }) => id === type.id),
      );
      clash('key prefix', type.key, ['resource_types', index, 'key'], undefined, ({ resourceTypes }) =>
        resourceTypes.some(({ key }) => key === type.key),
      );
    }
    return problems.problems;
  });
}
