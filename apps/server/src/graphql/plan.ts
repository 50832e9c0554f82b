import type { StoredPlan } from '@capstan/engine';
import type {
  Binding,
  Candidate,
  Contract,
  Job,
  JsonValue,
  ParameterSource,
  Plan,
  PlanGate,
  PlanNode,
  PlannedValue,
  PlanStage,
} from '@capstan/model';
import { qualified } from '@capstan/model';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DurationRange, durationOf } from './duration-range.js';
import { BindingKind, GateKind, Origin, PlanNodeKind, RiskLevel } from './enums.js';
import { NodeType } from './node.js';
import { Json } from './scalars.js';
import { fromPackText, fromText, TextType } from './text.js';

@ObjectType('PlanStage')
export class PlanStageType {
  @Field(() => String)
  readonly id: string;

  @Field(() => TextType)
  readonly title: TextType;

  constructor(stage: PlanStage) {
    this.id = stage.id;
    this.title = fromPackText(stage.title);
  }
}

@ObjectType('PlanNode', { description: 'A vertex of a plan. Its key is its identity.' })
export class PlanNodeType {
  @Field(() => String)
  readonly key: string;

  @Field(() => PlanNodeKind)
  readonly kind: PlanNode['kind'];

  @Field(() => String)
  readonly stage: string;

  @Field(() => String, { nullable: true, description: 'Id in `jobs`.' })
  readonly job: string | null;

  @Field(() => String, { nullable: true, description: 'Resource key of the host on which it runs.' })
  readonly target: string | null;

  @Field(() => [String])
  readonly dependsOn: readonly string[];

  @Field(() => Origin)
  readonly origin: PlanNode['origin'];

  @Field(() => TextType, { nullable: true })
  readonly reason: TextType | null;

  @Field(() => Json, {
    description: 'Name → {value}, {secret} or {artifact, owner}: where a secret is found, never what it is.',
  })
  readonly parameters: JsonValue;

  constructor(node: PlanNode) {
    this.parameters = Object.fromEntries(
      Object.entries(node.params).map(([name, value]) => [name, valueJson(value)]),
    );
    this.key = node.key;
    this.kind = node.kind;
    this.stage = node.stage;
    this.job = node.job;
    this.target = node.target;
    this.dependsOn = node.dependsOn;
    this.origin = node.origin;
    this.reason = node.reason === null ? null : fromText(node.reason);
  }
}

@ObjectType('Contract', { description: 'What a job needs or gives, by name.' })
export class ContractType {
  @Field(() => [String])
  readonly capabilities: readonly string[];

  @Field(() => [String])
  readonly artifacts: readonly string[];

  @Field(() => [String], { description: 'Checks whose confirmation is part of it.' })
  readonly evidence: readonly string[];

  constructor(side: Contract['inputs'] | Contract['outputs']) {
    this.capabilities = side.capabilities.map((one) => one.capability);
    this.artifacts = side.artifacts.map((one) => one.name);
    this.evidence = 'evidence' in side ? side.evidence : [];
  }
}

@ObjectType('JobSpec', { description: 'A job of the plan, once however many nodes run it.' })
export class JobSpecType {
  @Field(() => String)
  readonly id: string;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => RiskLevel)
  readonly risk: Job['risk'];

  @Field(() => String, { nullable: true, description: 'script, command, http, manual or reboot.' })
  readonly run: string | null;

  @Field(() => Boolean)
  readonly idempotent: boolean;

  @Field(() => ContractType)
  readonly needs: ContractType;

  @Field(() => ContractType)
  readonly gives: ContractType;

  @Field(() => Json, {
    nullable: true,
    description: 'Name → {cel}, {secret} or {artifact}: where each value comes from.',
  })
  readonly parameters: JsonValue;

  @Field(() => DurationRange, { nullable: true, description: 'What its pack expects.' })
  readonly estimate: DurationRange | null;

  @Field(() => Json, { nullable: true, description: 'Capability or artifact → the checks that prove it.' })
  readonly proves: Readonly<Record<string, readonly string[]>>;

  constructor(job: Job) {
    this.id = qualified(job);
    this.title = fromPackText(job.title);
    this.risk = job.risk;
    this.run = job.run?.kind ?? null;
    this.idempotent = job.run?.idempotent ?? false;
    this.needs = new ContractType(job.contract.inputs);
    this.gives = new ContractType(job.contract.outputs);
    this.parameters = Object.fromEntries(
      Object.entries(job.with).map(([name, source]) => [name, sourceJson(source)]),
    );
    this.estimate = durationOf(job.estimate);
    this.proves = job.proves;
  }
}

@ObjectType('Candidate')
export class CandidateType {
  @Field(() => String)
  readonly provider: string;

  @Field(() => Boolean)
  readonly taken: boolean;

  @Field(() => TextType)
  readonly reason: TextType;

  constructor(candidate: Candidate) {
    this.provider = candidate.provider;
    this.taken = candidate.taken;
    this.reason = fromText(candidate.reason);
  }
}

/** Over a catalog of thousands of scenarios the refused ones would outweigh the plan. */
const SHOWN_CANDIDATES = 20;

@ObjectType('Binding', {
  description: 'Requirement → provider, with every candidate and why it was taken or refused.',
})
export class BindingType {
  @Field(() => String)
  readonly requirement: string;

  @Field(() => BindingKind)
  readonly kind: Binding['kind'];

  @Field(() => String)
  readonly provider: string;

  @Field(() => Origin)
  readonly origin: Binding['origin'];

  @Field(() => TextType)
  readonly reason: TextType;

  @Field(() => [CandidateType], { description: `The first ${SHOWN_CANDIDATES}.` })
  readonly candidates: readonly CandidateType[];

  @Field(() => Int, { description: 'Candidates that are not shown.' })
  readonly moreCount: number;

  constructor(binding: Binding) {
    this.requirement = binding.requirement;
    this.kind = binding.kind;
    this.provider = binding.provider;
    this.origin = binding.origin;
    this.reason = fromText(binding.reason);
    this.candidates = binding.candidates.slice(0, SHOWN_CANDIDATES).map((one) => new CandidateType(one));
    this.moreCount = Math.max(0, binding.candidates.length - SHOWN_CANDIDATES);
  }
}

@ObjectType('GateSpec')
export class GateSpecType {
  @Field(() => String)
  readonly key: string;

  @Field(() => GateKind)
  readonly kind: PlanGate['kind'];

  @Field(() => TextType)
  readonly question: TextType;

  constructor(gate: PlanGate) {
    this.key = gate.key;
    this.kind = gate.kind;
    this.question = fromText(gate.question);
  }
}

@ObjectType('ScenarioRef')
export class ScenarioRefType {
  @Field(() => String)
  readonly id: string;

  @Field(() => String)
  readonly version: string;

  @Field(() => String)
  readonly pack: string;

  @Field(() => String, { description: '`<id>@<version>`' })
  readonly ref: string;

  constructor(scenario: { readonly id: string; readonly version: string; readonly pack: string }) {
    this.id = scenario.id;
    this.version = scenario.version;
    this.pack = scenario.pack;
    this.ref = `${scenario.id}@${scenario.version}`;
  }
}

@ObjectType('Plan', {
  implements: NodeType,
  description: 'The concrete graph for one intent: always whole, light, in one round trip.',
})
export class PlanType implements NodeType {
  @Field(() => ID, { description: 'Of a preview, which is stored nowhere, it can only be compared.' })
  readonly id: string;

  @Field(() => Int)
  readonly revision: number;

  @Field(() => String, { description: 'Canonical hash: what an approval binds.' })
  readonly hash: string;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => ScenarioRefType)
  readonly scenario: ScenarioRefType;

  @Field(() => String, { description: 'Resource key.' })
  readonly resource: string;

  @Field(() => String)
  readonly environment: string;

  @Field(() => Json)
  readonly parameters: Readonly<Record<string, JsonValue>>;

  @Field(() => Json, { description: 'Host set → host names.' })
  readonly sets: Readonly<Record<string, readonly string[]>>;

  @Field(() => [PlanStageType])
  readonly stages: readonly PlanStageType[];

  @Field(() => [JobSpecType], { description: 'Each once; nodes point to them.' })
  readonly jobs: readonly JobSpecType[];

  @Field(() => [PlanNodeType], { description: 'In an order that respects every edge.' })
  readonly nodes: readonly PlanNodeType[];

  @Field(() => [BindingType])
  readonly bindings: readonly BindingType[];

  @Field(() => [GateSpecType])
  readonly gates: readonly GateSpecType[];

  @Field(() => RiskLevel)
  readonly risk: Plan['risk'];

  @Field(() => DurationRange, {
    nullable: true,
    description:
      'Along the critical path, by what the packs expect; null while one of the jobs says nothing.',
  })
  readonly estimate: DurationRange | null;

  static stored({ id, plan }: StoredPlan): PlanType {
    return new PlanType(id, plan);
  }

  static preview(plan: Plan): PlanType {
    return new PlanType(`plan_preview_${plan.hash}`, plan);
  }

  constructor(id: string, plan: Plan) {
    this.id = id;
    this.estimate = durationOf(plan.estimate);
    this.revision = plan.revision;
    this.hash = plan.hash;
    this.title = fromPackText(plan.title);
    this.scenario = new ScenarioRefType(plan.scenario);
    this.resource = plan.subject.key;
    this.environment = plan.environment;
    this.parameters = plan.params;
    this.sets = plan.sets;
    this.stages = plan.stages.map((stage) => new PlanStageType(stage));
    this.jobs = Object.values(plan.jobs).map((job) => new JobSpecType(job));
    this.nodes = plan.nodes.map((node) => new PlanNodeType(node));
    this.bindings = plan.bindings.map((binding) => new BindingType(binding));
    this.gates = plan.gates.map((gate) => new GateSpecType(gate));
    this.risk = plan.risk;
  }
}

function valueJson(value: PlannedValue): JsonValue {
  switch (value.kind) {
    case 'value':
      return { value: value.value };
    case 'secret':
      return { secret: value.ref };
    case 'artifact':
      return { artifact: value.name, owner: value.owner };
  }
}

function sourceJson(source: ParameterSource): JsonValue {
  return source.kind === 'cel' ? { cel: source.source } : { [source.kind]: source.ref };
}
