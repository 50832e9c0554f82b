import type { JsonValue } from '@capstan/model';
import type { DocumentKind } from './document-report.js';
import type { Path } from './source-document.js';

/** Where a value of the normal form stands in the document as written: the other spellings of {@link normalise}. */
export function rawPath(kind: DocumentKind | 'unknown', value: JsonValue, path: Path): Path {
  switch (kind) {
    case 'scenario':
      return shortScenario(value, path);
    case 'intent':
      return topLevelParameter(value, path);
    case 'job':
    case 'contract':
      return longContract(value, path, kind === 'job' ? 1 : 0);
    case 'pack':
      return capabilityById(value, path);
    default:
      return path;
  }
}

function shortScenario(value: JsonValue, path: Path): Path {
  if (typeof at(value, ['scenario']) !== 'string' || path.length < 2) return path;
  return path[1] === 'id' ? ['scenario'] : path.slice(1);
}

function topLevelParameter(value: JsonValue, path: Path): Path {
  const isParameter = path[1] === 'desired_result' && path.length > 2;
  if (!isParameter || at(value, path.slice(0, 3)) !== undefined) return path;
  const beside = ['intent', ...path.slice(2)];
  return at(value, beside.slice(0, 2)) === undefined ? path : beside;
}

function longContract(value: JsonValue, path: Path, offset: number): Path {
  const side = path[offset];
  const inner = side === 'inputs' ? 'requires' : side === 'outputs' ? 'provides' : null;
  const until = offset + 2;
  if (inner === null || path.length < until || at(value, path.slice(0, until)) !== undefined) return path;
  const long = [...path.slice(0, offset + 1), inner, ...path.slice(offset + 1)];
  return at(value, long.slice(0, until + 1)) === undefined ? path : long;
}

function capabilityById(value: JsonValue, path: Path): Path {
  const capabilities = at(value, ['capabilities']);
  if (path[0] !== 'capabilities' || path.length < 2 || Array.isArray(capabilities)) return path;
  const id = Object.keys((capabilities ?? {}) as object)[Number(path[1])];
  if (id === undefined) return path;
  return path[2] === 'id' ? ['capabilities', id] : ['capabilities', id, ...path.slice(2)];
}

function at(value: JsonValue, path: Path): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined;
    if (Array.isArray(current)) current = current[Number(step)];
    else current = Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}
