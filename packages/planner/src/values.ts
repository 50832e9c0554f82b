import type { Environment, ExpressionResult, Expressions, HostView, Intent, JsonValue } from '@capstan/model';
import type { BoundResource, Subject } from './frame.js';

type Values = Readonly<Record<string, JsonValue>>;

/** What is known at the step of planning in which an expression is evaluated (S16). */
export interface ValueSources {
  readonly expressions: Expressions;
  readonly intent: Intent;
  readonly params: Values;
  readonly subject: Subject;
  readonly environment: Environment;
  readonly sets: ReadonlyMap<string, readonly HostView[]>;
  readonly bindings: ReadonlyMap<string, BoundResource>;
}

/** Evaluates an expression of a pack over the closed set of values that planning has. */
export function evaluate(
  sources: ValueSources,
  source: string,
  host: HostView | null = null,
  more: Values = {},
): ExpressionResult {
  const { subject, environment } = sources;
  return sources.expressions.evaluate(source, {
    intent: intentValue(sources.intent),
    params: sources.params as { [key: string]: JsonValue },
    target: { key: subject.key, name: subject.name, type: subject.type },
    host: host === null ? {} : hostValue(host),
    sets: Object.fromEntries([...sources.sets].map(([name, hosts]) => [name, hosts.map(memberValue)])),
    bindings: Object.fromEntries([...sources.bindings].map(([name, bound]) => [name, bindingValue(bound)])),
    env: { name: environment.name, kind: environment.kind },
    ...more,
  });
}

/** The intent as documents spell it: packs are written against the documents. */
function intentValue(intent: Intent): JsonValue {
  const value: Record<string, JsonValue> = {
    action: intent.action,
    desired_result: { ...intent.desiredResult },
    constraints: { ...intent.constraints },
    hosts: intent.hosts === null ? [] : (structured(intent.hosts) as JsonValue),
  };
  if (intent.targetResource !== undefined) value['target_resource'] = intent.targetResource;
  if (intent.targetResourceType !== undefined) value['target_resource_type'] = intent.targetResourceType;
  return value;
}

function structured(hosts: NonNullable<Intent['hosts']>): unknown {
  return Array.isArray(hosts)
    ? [...hosts]
    : Object.fromEntries(Object.entries(hosts).map(([set, names]) => [set, [...names]]));
}

function hostValue(host: HostView): JsonValue {
  return { name: host.name, address: host.address, key: host.key, environment: host.environment };
}

function memberValue(host: HostView): JsonValue {
  return { name: host.name, address: host.address, key: host.key };
}

function bindingValue(bound: BoundResource): JsonValue {
  return {
    key: bound.key,
    name: bound.key.slice(bound.key.indexOf('/') + 1),
    type: bound.type,
    attributes: { ...bound.attributes },
  };
}
