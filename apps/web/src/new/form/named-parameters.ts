import { type ParamsSchema, requiredOf, schemaOf } from './params-schema';

/** The resource type whose resources are the hosts themselves. */
const HOST_TYPE = 'node';

/**
 * The parameters of an intent: the scenario's, and always the name of the resource, which the planner takes even where
 * the scenario has no use for it. The name comes first; for a scenario about a host it is a choice of hosts.
 */
export function namedParameters(params: ParamsSchema, targetType: string, title: string): ParamsSchema {
  const { name: own, ...others } = schemaOf(params.properties);
  const declared = own === undefined ? { title, ...NAME } : schemaOf(own);
  const name = targetType === HOST_TYPE ? { title, ...HOST } : declared;
  return {
    ...params,
    properties: { name: { ...name }, ...others },
    required: [...new Set(['name', ...requiredOf(params)])],
  };
}

/** What the planner demands of every name: it goes into keys, paths and screens. */
const NAME = { type: 'string', pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,127}$' };
const HOST = { type: 'string', format: 'capstan-host' };
