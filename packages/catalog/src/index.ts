import type { Expressions, Intent, JsonValue, Outcome, Pack } from '@capstan/model';
import { CapstanError } from '@capstan/model';
import type { DocumentReport } from './document-report.js';
import type { LoadedCatalog, LoadedPack } from './loaded-pack.js';

export { DOCUMENT_KINDS, type DocumentKind, type DocumentReport } from './document-report.js';
export type { LoadedCatalog, LoadedPack } from './loaded-pack.js';

const unwritten = (name: string): never => {
  throw new CapstanError('not_written', `${name} is being written`);
};

/** Checks documents from text: kind, completeness, normal form, what is missing, problems. */
export function checkDocuments(
  _files: readonly { readonly file: string; readonly text: string }[],
): readonly DocumentReport[] {
  return unwritten('checkDocuments');
}
/** Reads and checks files; a file inside a pack's folder is checked with its pack around it. */
export function checkFiles(_paths: readonly string[]): Promise<readonly DocumentReport[]> {
  return unwritten('checkFiles');
}
/** An intent from YAML or JSON text, or from a JSON value. */
export function parseIntent(
  _input: string | Readonly<Record<string, JsonValue>>,
  _file: string,
): Outcome<Intent> {
  return unwritten('parseIntent');
}
/** One pack; `needs` are the packs that its `needs:` may resolve to. */
export function loadPack(_dir: string, _needs: readonly Pack[] = []): Promise<Outcome<LoadedPack>> {
  return unwritten('loadPack');
}
/** Every pack in the sub-folders of `dirs`; an absent folder is a problem. */
export function loadCatalog(_dirs: readonly string[]): Promise<LoadedCatalog> {
  return unwritten('loadCatalog');
}
/** CEL with counted limits. */
export function createExpressions(): Expressions {
  return unwritten('createExpressions');
}
/** The most similar candidate, or null when none is near. */
export function nearest(_name: string, _candidates: Iterable<string>): string | null {
  return unwritten('nearest');
}
