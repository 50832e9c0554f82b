import { type ParamsSchema, schemaOf } from './form/params-schema';

/** Where in the form a problem is to be corrected. */
export type ProblemPlace =
  | { readonly kind: 'parameter'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'environment' | 'hosts' };

/** What a problem says about its place: the path among the arguments of its text, as the planner names it. */
export interface PlacedProblem {
  readonly code: string;
  readonly text: { readonly args: unknown };
}

/** The field that a problem of the planner is about; null when it is about the intent as a whole. */
export function placeOf(problem: PlacedProblem, params: ParamsSchema): ProblemPlace | null {
  const args = schemaOf(problem.text.args as never);
  if (typeof args.path === 'string' && args.path !== '') {
    const path = args.path
      .split(/[.[\]]+/)
      .filter((step) => step !== '')
      .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const [first] = path;
    if (typeof first === 'string' && Object.hasOwn(schemaOf(params.properties), first))
      return { kind: 'parameter', path };
    if (args.path === 'constraints.environment') return { kind: 'environment' };
    if (first === 'hosts' || first === 'host_sets') return { kind: 'hosts' };
  }
  // A name that nobody gave has no path yet.
  if (problem.code === 'missing_value' && args.type !== undefined)
    return { kind: 'parameter', path: ['name'] };
  if (typeof args.set === 'string' || args.environments !== undefined) return { kind: 'hosts' };
  return args.environment === undefined ? null : { kind: 'environment' };
}

/** The id of the first input at a place. */
export function fieldId(place: ProblemPlace): string {
  return place.kind === 'parameter' ? ['root', ...place.path].join('_') : `new-${place.kind}`;
}
