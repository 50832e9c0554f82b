import { type Problem, text } from '@capstan/model';
import { type ClassType, createUnionType, Field, Int, InterfaceType, ObjectType } from 'type-graphql';
import { Json } from './scalars.js';
import { fromText, TextType } from './text.js';

/** One thing that is wrong, where it stands, and what would have been right. */
@ObjectType({ description: 'One thing that is wrong, and where. Lines and columns count from 1.' })
export class ProblemPlace {
  @Field(() => String)
  readonly code: string;

  @Field(() => TextType)
  readonly text: TextType;

  @Field(() => String, { nullable: true })
  readonly file: string | null;

  @Field(() => Int, { nullable: true })
  readonly line: number | null;

  @Field(() => Int, { nullable: true })
  readonly column: number | null;

  @Field(() => String, { nullable: true })
  readonly expected: string | null;

  constructor(problem: Problem) {
    this.code = problem.code;
    this.text = fromText(problem.text);
    this.file = problem.place?.file ?? null;
    this.line = problem.place?.line ?? null;
    this.column = problem.place?.column ?? null;
    this.expected = problem.expected ?? null;
  }
}

@InterfaceType('Problem', {
  description: 'An expected failure. Match on it to stay valid when a member is added.',
})
export abstract class ProblemType {
  @Field(() => String)
  readonly code: string;

  @Field(() => TextType)
  readonly text: TextType;

  @Field(() => [ProblemPlace], { description: 'Everything that is wrong; the first is the one of `code`.' })
  readonly problems: readonly ProblemPlace[];

  constructor(problems: readonly Problem[]) {
    const first = problems[0] ?? { code: 'conflict', text: text('refused_without_reason') };
    this.code = first.code;
    this.text = fromText(first.text);
    this.problems = problems.map((problem) => new ProblemPlace(problem));
  }
}

@ObjectType({
  implements: ProblemType,
  description: 'A document that cannot be read or does not fit its schema.',
})
class InvalidDocument extends ProblemType {}

@ObjectType({ implements: ProblemType, description: 'There is no plan for this intent, and why.' })
class PlanRefused extends ProblemType {}

@ObjectType({ implements: ProblemType, description: 'Another operation of the same resource is not over.' })
class OperationRunning extends ProblemType {
  @Field(() => String, { description: 'Number of the operation that runs.' })
  readonly running: string;

  constructor(problems: readonly Problem[]) {
    super(problems);
    this.running = String(problems[0]?.text.args.operation ?? '');
  }
}

@ObjectType({ implements: ProblemType, description: 'No such thing, or none that this viewer may see.' })
class NotFound extends ProblemType {}

@ObjectType({ implements: ProblemType, description: 'Not possible in the present state.' })
class IllegalState extends ProblemType {}

@ObjectType({ implements: ProblemType, description: 'The key was used for another request.' })
class IdempotencyConflict extends ProblemType {}

@ObjectType({ implements: ProblemType, description: 'The viewer may not do this.' })
class NotAllowed extends ProblemType {
  @Field(() => String, { description: 'What is missing.' })
  readonly permission: string;

  @Field(() => [String], { description: 'Who has it, `kind:id`.' })
  readonly whoCan: readonly string[];

  constructor(problems: readonly Problem[]) {
    super(problems);
    const { permission = '', whoCan = '' } = problems[0]?.text.args ?? {};
    this.permission = String(permission);
    this.whoCan = String(whoCan).split(', ').filter(Boolean);
  }
}

@ObjectType({ implements: ProblemType, description: 'The host does not answer.' })
class HostUnreachable extends ProblemType {}

@ObjectType({ implements: ProblemType, description: 'The host key is unknown or has changed.' })
class HostKeyProblem extends ProblemType {
  @Field(() => Json, { description: 'Both fingerprints where there are two.' })
  readonly fingerprints: Readonly<Record<string, string | number>>;

  constructor(problems: readonly Problem[]) {
    super(problems);
    this.fingerprints = problems[0]?.text.args ?? {};
  }
}

const PROBLEM_TYPES = [
  InvalidDocument,
  PlanRefused,
  OperationRunning,
  NotFound,
  IllegalState,
  IdempotencyConflict,
  NotAllowed,
  HostUnreachable,
  HostKeyProblem,
] as const;

const BY_CODE: Partial<Record<Problem['code'], (typeof PROBLEM_TYPES)[number]>> = {
  operation_running: OperationRunning,
  not_found: NotFound,
  illegal_state: IllegalState,
  stale_revision: IllegalState,
  already_exists: IllegalState,
  conflict: IllegalState,
  idempotency_conflict: IdempotencyConflict,
  not_allowed: NotAllowed,
  host_unreachable: HostUnreachable,
  host_key_problem: HostKeyProblem,
  unknown_scenario: PlanRefused,
  unknown_host: PlanRefused,
  unknown_resource: PlanRefused,
  unmet_requirement: PlanRefused,
  needs_choice: PlanRefused,
  not_supported: PlanRefused,
  planning_timeout: PlanRefused,
  planning_budget_exceeded: PlanRefused,
  not_isolated: PlanRefused,
  unknown_parameter: PlanRefused,
  invalid_parameter: PlanRefused,
  cycle: PlanRefused,
};

/** The typed form of a refusal; the first problem decides the type, all of them are in it. */
export function toProblem(problems: readonly Problem[]): ProblemType {
  const Type = BY_CODE[problems[0]?.code ?? 'conflict'] ?? InvalidDocument;
  return new Type(problems);
}

/** Makes the union `<name>` of one success type and every problem: a member added later breaks no `... on Problem`. */
export function resultOf<T extends object>(
  name: string,
  success: ClassType<T>,
): ReturnType<typeof createUnionType> {
  return createUnionType({ name, types: () => [success, ...PROBLEM_TYPES] as const });
}
