import type { Intent, Outcome, ResourceType } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Subject } from './frame.js';

/** A name goes into keys, paths and screens: letters and digits of any script, then also `.`, `_`, `-`. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,127}$/u;

/** The resource that the operation makes or changes: `<key prefix>/<name>`. */
export function nameSubject(intent: Intent, type: ResourceType): Outcome<Subject> {
  const wanted = intent.desiredResult['name'];
  const fromKey = intent.targetResource?.startsWith(`${type.key}/`)
    ? intent.targetResource.slice(type.key.length + 1)
    : undefined;
  if (intent.targetResource !== undefined && fromKey === undefined) {
    return refused({
      code: 'unknown_resource',
      text: text('plan.wrong_prefix', { key: intent.targetResource, type: type.id }),
      expected: `${type.key}/NAME`,
    });
  }
  const name = fromKey ?? wanted;
  if (name === undefined) {
    return refused({
      code: 'missing_value',
      text: text('plan.no_name', { type: type.id }),
      expected: 'desired_result.name or target_resource',
    });
  }
  if (fromKey !== undefined && wanted !== undefined && wanted !== fromKey) {
    return refused({
      code: 'invalid_parameter',
      text: text('plan.two_names', { first: fromKey, second: JSON.stringify(wanted) }),
      expected: fromKey,
    });
  }
  if (typeof name === 'string' && name.includes('\0')) {
    return refused({
      code: 'nul_in_parameter',
      text: text('plan.nul', { path: 'name' }),
      expected: 'text without U+0000',
    });
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    return refused({
      code: 'invalid_parameter',
      text: text('plan.invalid_parameter', { path: 'name', found: JSON.stringify(name).slice(0, 80) }),
      expected: 'a letter or digit, then letters, digits, ".", "_" or "-", at most 128',
    });
  }
  return ok({ key: `${type.key}/${name}`, type: type.id, name });
}
