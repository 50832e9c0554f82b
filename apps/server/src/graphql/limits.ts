import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';

/** What a request may ask for. Judged on the parsed text, before validation, whose cost these very shapes blow up (C31). */
export interface RequestLimits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directivesPerField: number;
  /** Largest product of nested list sizes. */
  readonly rows: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  tokens: 2_000,
  depth: 10,
  aliases: 15,
  directivesPerField: 5,
  rows: 1_000,
};

/** How many rows a list counts for when the request does not say: plan-bounded lists and `first` from nowhere. */
const UNSTATED_ROWS = 100;
/** Lists bounded by a plan whose members have lists of their own. */
const PLAN_LISTS = new Set(['nodeRuns']);

export interface Refusal {
  readonly code: 'BAD_REQUEST' | 'TOO_EXPENSIVE';
  readonly message: string;
}

/** Null when the request may be validated and run. */
export function judgeRequest(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  limits: RequestLimits = REQUEST_LIMITS,
): Refusal | null {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: limits.tokens, noLocation: true });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const tooLong = /more that|more than/.test(error.message);
    return { code: tooLong ? 'TOO_EXPENSIVE' : 'BAD_REQUEST', message: error.message };
  }
  return new Judge(document, variables, limits).refusal();
}

class Judge {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  #aliases = 0;
  #visited = 0;

  constructor(
    private readonly document: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
    private readonly limits: RequestLimits,
  ) {
    this.#fragments = new Map(
      document.definitions.flatMap((d) =>
        d.kind === 'FragmentDefinition' ? [[d.name.value, d] as const] : [],
      ),
    );
  }

  refusal(): Refusal | null {
    for (const definition of this.document.definitions) {
      if (definition.kind === 'FragmentDefinition') continue;
      if (definition.kind !== 'OperationDefinition') return bad('only operations and fragments are accepted');
      const found = this.#selections(definition.selectionSet, 1, 1, [], definition);
      if (found) return found;
    }
    return null;
  }

  #selections(
    set: SelectionSetNode,
    depth: number,
    rows: number,
    path: readonly string[],
    operation: OperationDefinitionNode,
  ): Refusal | null {
    for (const selection of set.selections) {
      // Fragments that spread each other twice multiply without any nesting: count what is walked.
      this.#visited += 1;
      if (this.#visited > this.limits.tokens * 4)
        return expensive('the fragments multiply beyond what is accepted');
      if ((selection.directives?.length ?? 0) > this.limits.directivesPerField) {
        return expensive(`more than ${this.limits.directivesPerField} directives in one place`);
      }
      const found = this.#selection(selection, depth, rows, path, operation);
      if (found) return found;
    }
    return null;
  }

  #selection(
    selection: SelectionSetNode['selections'][number],
    depth: number,
    rows: number,
    path: readonly string[],
    operation: OperationDefinitionNode,
  ): Refusal | null {
    switch (selection.kind) {
      case 'Field':
        return this.#field(selection, depth, rows, path, operation);
      case 'InlineFragment':
        return this.#selections(selection.selectionSet, depth, rows, path, operation);
      default: {
        const name = selection.name.value;
        if (path.includes(name)) return bad(`the fragment ${name} spreads itself`);
        const fragment = this.#fragments.get(name);
        // An unknown fragment is validation's to name.
        return fragment
          ? this.#selections(fragment.selectionSet, depth, rows, [...path, name], operation)
          : null;
      }
    }
  }

  #field(
    field: FieldNode,
    depth: number,
    rows: number,
    path: readonly string[],
    operation: OperationDefinitionNode,
  ): Refusal | null {
    // Introspection nests deeper than any real request and reads no row.
    if (field.name.value === '__schema' || field.name.value === '__type') return null;
    if (depth > this.limits.depth) return expensive(`deeper than ${this.limits.depth} levels`);
    if (field.alias) this.#aliases += 1;
    if (this.#aliases > this.limits.aliases) return expensive(`more than ${this.limits.aliases} aliases`);
    const here = rows * this.#size(field, operation);
    // A list alone is bounded by its own `first`; what multiplies is a list inside a list.
    if (here > rows && here > this.limits.rows) {
      return expensive(`up to ${here} rows of ${field.name.value}; ask for fewer at once (first:, keys:)`);
    }
    return field.selectionSet ? this.#selections(field.selectionSet, depth + 1, here, path, operation) : null;
  }

  #size(field: FieldNode, operation: OperationDefinitionNode): number {
    const first = field.arguments?.find((argument) => argument.name.value === 'first');
    if (first) return this.#integer(first.value, operation);
    if (!PLAN_LISTS.has(field.name.value)) return 1;
    const keys = field.arguments?.find((argument) => argument.name.value === 'keys');
    return keys ? this.#length(keys.value, operation) : UNSTATED_ROWS;
  }

  #integer(
    value: NonNullable<FieldNode['arguments']>[number]['value'],
    operation: OperationDefinitionNode,
  ): number {
    if (value.kind === 'IntValue') return Math.max(1, Number(value.value));
    const given = value.kind === 'Variable' ? this.#variable(value.name.value, operation) : undefined;
    return typeof given === 'number' && given > 0 ? given : UNSTATED_ROWS;
  }

  #length(
    value: NonNullable<FieldNode['arguments']>[number]['value'],
    operation: OperationDefinitionNode,
  ): number {
    if (value.kind === 'ListValue') return Math.max(1, value.values.length);
    const given = value.kind === 'Variable' ? this.#variable(value.name.value, operation) : undefined;
    return Array.isArray(given) ? Math.max(1, given.length) : UNSTATED_ROWS;
  }

  #variable(name: string, operation: OperationDefinitionNode): unknown {
    if (Object.hasOwn(this.variables, name)) return this.variables[name];
    const fallback = operation.variableDefinitions?.find((d) => d.variable.name.value === name)?.defaultValue;
    return fallback?.kind === 'IntValue' ? Number(fallback.value) : undefined;
  }
}

function bad(message: string): Refusal {
  return { code: 'BAD_REQUEST', message };
}

function expensive(message: string): Refusal {
  return { code: 'TOO_EXPENSIVE', message };
}
