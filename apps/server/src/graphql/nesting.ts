import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { GraphQLError } from 'graphql';
import { REQUEST_LIMITS } from './limits.js';

/**
 * Refuses connections inside a list whose length only the stored rows tell: the text of a request does not say how many
 * nodes a plan has. Details of many nodes are asked for by their keys, a part at a time.
 */
export function refuseLargeNesting(info: GraphQLResolveInfo, rows: number): void {
  const nested = Math.max(1, ...info.fieldNodes.map((field) => largestFirst(field.selectionSet, info)));
  // A plain list is one round trip whatever its length; what multiplies is a connection within it.
  if (nested === 1 || rows * nested <= REQUEST_LIMITS.rows) return;
  throw new GraphQLError(
    `${rows} rows of ${info.fieldName} with up to ${nested} each; ask for fewer at once (first:, keys:)`,
    { extensions: { code: 'TOO_EXPENSIVE' } },
  );
}

function largestFirst(set: SelectionSetNode | undefined, info: GraphQLResolveInfo): number {
  return Math.max(
    1,
    ...(set?.selections ?? []).map((selection): number => {
      if (selection.kind === 'InlineFragment') return largestFirst(selection.selectionSet, info);
      if (selection.kind === 'FragmentSpread')
        return largestFirst(info.fragments[selection.name.value]?.selectionSet, info);
      return firstOf(selection, info) * largestFirst(selection.selectionSet, info);
    }),
  );
}

function firstOf(field: FieldNode, info: GraphQLResolveInfo): number {
  const value = field.arguments?.find((argument) => argument.name.value === 'first')?.value;
  if (value?.kind === 'IntValue') return Number(value.value);
  const given = value?.kind === 'Variable' ? info.variableValues[value.name.value] : undefined;
  return typeof given === 'number' ? given : 1;
}
