import type { Binding, Candidate, Job, JsonValue, Plan, PlanGate, PlanNode, PlanStage } from '@capstan/model';
import { qualified } from '@capstan/model';
import { Field, Int, ObjectType } from 'type-graphql';
import { BindingKind, GateKind, Origin, PlanNodeKind, RiskLevel } from './enums.js';
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

  constructor(node: PlanNode) {
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

  @Field(() => [String], { description: 'Capabilities that it needs.' })
  readonly needs: readonly string[];

  @Field(() => [String], { description: 'Capabilities that it gives.' })
  readonly gives: readonly string[];

  constructor(job: Job) {
    this.id = qualified(job);
    this.title = fromPackText(job.title);
    this.risk = job.risk;
    this.run = job.run?.kind ?? null;
    this.idempotent = job.run?.idempotent ?? false;
    this.needs = job.contract.inputs.capabilities.map((one) => one.capability);
    this.gives = job.contract.outputs.capabilities.map((one) => one.capability);
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
  description: 'The concrete graph for one intent: always whole, light, in one round trip.',
})
export class PlanType {
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

  constructor(plan: Plan) {
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
