import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  visit,
} from 'graphql';

/** No actor, no loaders, no database below a frame: it would not be everybody's any more. */
const NOTHING = Object.freeze({});

/** A subscription as its frames are made for it. */
export interface Selection {
  readonly args: ExecutionArgs;
  /** Equal for all whose frames of the same content are the same bytes. */
  readonly key: string;
}

/** What `key` is made of. The cursor is left out when nothing but the cursor's own argument uses it. */
export function selectionOf(args: ExecutionArgs, source: string): Selection {
  const used = variablesBeside(args.document, new Set(['after', 'etag']));
  const variables = Object.entries(args.variableValues ?? {})
    .filter(([name]) => used.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([source, args.operationName ?? null, variables]);
  return { args, key: createHash('sha256').update(text).digest('base64') };
}

/**
 * One execution and one serialised payload for all who are told the same: frames are shared as objects, so a frame and a
 * selection name the bytes. Nothing is kept longer than its frame.
 */
export class FramePayloads {
  readonly #made = new WeakMap<object, Map<string, Promise<string>>>();
  #executions = 0;

  constructor(private readonly failed: (error: GraphQLError) => GraphQLError) {}

  /** How many were made so far. */
  get executions(): number {
    return this.#executions;
  }

  /** The payload of a `next` message for that frame, as JSON. */
  of(frame: object, { args, key }: Selection): Promise<string> {
    let bySelection = this.#made.get(frame);
    if (!bySelection) {
      bySelection = new Map();
      this.#made.set(frame, bySelection);
    }
    let payload = bySelection.get(key);
    if (!payload) {
      payload = this.#make(frame, args);
      bySelection.set(key, payload);
    }
    return payload;
  }

  async #make(frame: object, args: ExecutionArgs): Promise<string> {
    this.#executions += 1;
    const result: ExecutionResult = await execute({
      ...args,
      rootValue: frame,
      contextValue: NOTHING,
    });
    const errors = result.errors?.map((error) => this.failed(error).toJSON());
    return JSON.stringify({ data: result.data ?? null, ...(errors ? { errors } : {}) });
  }
}

/** Names of the variables that something else than these arguments of the root field uses. */
function variablesBeside(document: DocumentNode, cursors: ReadonlySet<string>): ReadonlySet<string> {
  const used = new Set<string>();
  const roots = rootFields(document);
  visit(document, {
    VariableDefinition() {
      return false;
    },
    Argument(node, _key, _parent, _path, ancestors) {
      const field = ancestors.at(-1);
      const isCursor = cursors.has(node.name.value) && roots.has(field as FieldNode);
      return isCursor ? false : undefined;
    },
    Variable(node) {
      used.add(node.name.value);
    },
  });
  return used;
}

function rootFields(document: DocumentNode): ReadonlySet<FieldNode> {
  const fragments = new Map(
    document.definitions.flatMap((d): [string, FragmentDefinitionNode][] =>
      d.kind === 'FragmentDefinition' ? [[d.name.value, d]] : [],
    ),
  );
  const fields = new Set<FieldNode>();
  const collect = (set: FragmentDefinitionNode['selectionSet']): void => {
    for (const selection of set.selections) {
      if (selection.kind === 'Field') fields.add(selection);
      else if (selection.kind === 'InlineFragment') collect(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  for (const definition of document.definitions)
    if (definition.kind === 'OperationDefinition') collect(definition.selectionSet);
  return fields;
}
