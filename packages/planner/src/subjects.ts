import type { HostView, On, Outcome, Problem, ProblemCode, Text } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Frame } from './frame.js';
import { HOST_TYPE } from './frame.js';
import { expectedName } from './nearest.js';
import { notSupported } from './supported.js';

/** A reference to something that some resource has. */
export interface SubjectReference {
  /** Capability or artifact, for the words. */
  readonly name: string;
  /** Resource type that can hold it. */
  readonly of: string;
  readonly on: On | undefined;
}

/** Keys of the resources that a reference means; with `any`, one of them is enough. */
export interface ResolvedSubjects {
  readonly keys: readonly string[];
  readonly any: boolean;
}

type SubjectFrame = Pick<Frame, 'subject' | 'sets' | 'bindings' | 'scenario'>;

/** Whose capability or artifact is meant: an explicit `on`, else the own host, the operation's target or the one binding of that type (S14). */
export function resolveSubjects(
  frame: SubjectFrame,
  reference: SubjectReference,
  host: HostView,
  where: string,
): Outcome<ResolvedSubjects> {
  return reference.on === undefined
    ? byType(frame, reference, host, where)
    : explicit(frame, reference.on, reference, host, where);
}

function byType(
  frame: SubjectFrame,
  reference: SubjectReference,
  host: HostView,
  where: string,
): Outcome<ResolvedSubjects> {
  const { subject } = frame;
  if (reference.of === HOST_TYPE) {
    if (subject.type !== HOST_TYPE || subject.key === host.key) return one(host.key);
    return refused(
      problem(
        'ambiguous_subject',
        text('plan.ambiguous_subject', {
          name: reference.name,
          where,
          subjects: `${host.key}, ${subject.key}`,
        }),
        'on: host or on: target',
      ),
    );
  }
  if (reference.of === subject.type) return one(subject.key);
  const bound = [...frame.bindings.values()].filter((each) => each.type === reference.of);
  const [only, another] = bound;
  if (only !== undefined && another === undefined) return one(only.key);
  if (only === undefined) {
    return refused(
      problem(
        'unmet_requirement',
        text('plan.no_subject', { name: reference.name, of: reference.of, where }),
        `a requirement of the scenario that binds a ${reference.of}`,
      ),
    );
  }
  const subjects = bound.map((each) => `binding:${each.as}`).join(', ');
  return refused(
    problem(
      'ambiguous_subject',
      text('plan.ambiguous_subject', { name: reference.name, where, subjects }),
      `on: one of ${subjects}`,
    ),
  );
}

function explicit(
  frame: SubjectFrame,
  on: On,
  reference: SubjectReference,
  host: HostView,
  where: string,
): Outcome<ResolvedSubjects> {
  switch (on.kind) {
    case 'host':
      return one(host.key);
    case 'target':
      return one(frame.subject.key);
    case 'binding': {
      if (on.claim) return refused(notSupported(`binding:${on.name}.claim`, where));
      const bound = frame.bindings.get(on.name);
      if (bound !== undefined) return one(bound.key);
      return refused(
        problem(
          'unknown_reference',
          text('plan.unknown_binding', { name: on.name, where }),
          expectedName(on.name, [...frame.bindings.keys()]),
        ),
      );
    }
    case 'all':
    case 'first':
    case 'any': {
      const members = frame.sets.get(on.set)?.map((member) => member.key);
      if (members === undefined) {
        return refused(
          problem(
            'unknown_reference',
            text('plan.unknown_set', { set: on.set, where, name: reference.name }),
            expectedName(on.set, [...frame.sets.keys()]),
          ),
        );
      }
      if (members.length === 0 && on.kind !== 'all') return refused(emptySet(on.set, where));
      return ok({ keys: on.kind === 'first' ? members.slice(0, 1) : members, any: on.kind === 'any' });
    }
  }
}

/** A reference to one host of a set that has none: dropping it would drop a need or a job without a word. */
export function emptySet(set: string, where: string): Problem {
  return problem('unmet_requirement', text('plan.empty_set', { set, where }), `a host in ${set}`);
}

function one(key: string): Outcome<ResolvedSubjects> {
  return ok({ keys: [key], any: false });
}

function problem(code: ProblemCode, words: Text, expected: string): Problem {
  return { code, text: words, expected };
}
