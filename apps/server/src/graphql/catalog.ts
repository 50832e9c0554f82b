import {
  type HostSet,
  type Job,
  type JsonValue,
  type Pack,
  type Scenario,
  schemaInLanguage,
} from '@capstan/model';
import { Arg, Field, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { RiskLevel } from './enums.js';
import { Json } from './scalars.js';
import { fromPackText, localeOf, TextType } from './text.js';

@ObjectType('ScenarioHostSet', { description: 'Hosts that a scenario works on, under one name.' })
export class ScenarioHostSetType {
  @Field(() => String)
  readonly name: string;

  @Field(() => TextType, { nullable: true })
  readonly title: TextType | null;

  @Field(() => String, { nullable: true, description: 'CEL: how many; null: as many as the intent names.' })
  readonly count: string | null;

  @Field(() => Boolean, {
    description: 'The intent names its hosts; else the scenario finds them by itself.',
  })
  readonly chosen: boolean;

  constructor(set: HostSet) {
    this.name = set.name;
    this.title = set.title === undefined ? null : fromPackText(set.title);
    this.count = set.count ?? null;
    this.chosen = set.hosts === undefined && set.members === undefined;
  }
}

@ObjectType('Scenario', { description: 'A versioned template for one action on one resource type.' })
export class ScenarioType {
  @Field(() => String, { description: '`<id>@<version>`' })
  readonly ref: string;

  @Field(() => String)
  readonly id: string;

  @Field(() => String)
  readonly version: string;

  @Field(() => String)
  readonly pack: string;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => TextType, { nullable: true })
  readonly summary: TextType | null;

  @Field(() => String)
  readonly action: string;

  @Field(() => String)
  readonly targetResourceType: string;

  @Field(() => RiskLevel)
  readonly risk: Job['risk'];

  @Field(() => [String], { description: 'Capabilities that it provides.' })
  readonly provides: readonly string[];

  @Field(() => [ScenarioHostSetType])
  readonly hostSets: readonly ScenarioHostSetType[];

  readonly #params: JsonValue;

  constructor(scenario: Scenario) {
    this.ref = `${scenario.id}@${scenario.version}`;
    this.id = scenario.id;
    this.version = scenario.version;
    this.pack = scenario.pack;
    this.title = fromPackText(scenario.title);
    this.summary = scenario.summary === undefined ? null : fromPackText(scenario.summary);
    this.action = scenario.action;
    this.targetResourceType = scenario.targetResourceType;
    this.#params = scenario.params;
    this.risk = scenario.risk;
    this.provides = scenario.provides.map((one) => one.capability);
    this.hostSets = scenario.hostSets.map((set) => new ScenarioHostSetType(set));
  }

  @Field(() => Json, {
    description:
      'JSON Schema of the parameters; its titles in `ru` where they are translated, else in English.',
  })
  params(@Arg('locale', () => String, { nullable: true }) locale: string | null | undefined): JsonValue {
    return schemaInLanguage(this.#params, localeOf(locale));
  }
}

export const ScenarioConnectionType = connectionOf<ScenarioType>('Scenario', () => ScenarioType);

@ObjectType('Pack', { description: 'A versioned folder of scenarios, jobs, capabilities and checks.' })
export class PackType {
  @Field(() => String)
  readonly name: string;

  @Field(() => String)
  readonly version: string;

  @Field(() => TextType)
  readonly title: TextType;

  @Field(() => TextType, { nullable: true })
  readonly summary: TextType | null;

  @Field(() => String)
  readonly publisher: string;

  @Field(() => String, { description: 'SHA-256 over every file: what an operation pins.' })
  readonly digest: string;

  @Field(() => [String], { description: 'Refs of its scenarios.' })
  readonly scenarios: readonly string[];

  @Field(() => [String])
  readonly resourceTypes: readonly string[];

  constructor(pack: Pack) {
    this.name = pack.name;
    this.version = pack.version;
    this.title = fromPackText(pack.title);
    this.summary = pack.summary === undefined ? null : fromPackText(pack.summary);
    this.publisher = pack.publisher;
    this.digest = pack.digest;
    this.scenarios = pack.scenarios.map((one) => `${one.id}@${one.version}`);
    this.resourceTypes = pack.resourceTypes.map((one) => one.id);
  }
}

export const PackConnectionType = connectionOf<PackType>('Pack', () => PackType);
