import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { type Page, pageOfAll } from './connection.js';
import type { GraphContext } from './context.js';
import { EnvironmentType } from './environment.js';
import { HostConnectionType, HostType } from './host.js';
import { valueOrError } from './loaders.js';
import { keyOf } from './operation-mutations.js';
import { type ProblemType, resultOf, toProblem } from './problem.js';
import { ResourceConnectionType, ResourceObject } from './resource.js';

@InputType('HostInput')
export class HostInputType {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  address!: string;

  @Field(() => Int, { defaultValue: 22 })
  port!: number;

  @Field(() => String)
  user!: string;

  @Field(() => String, { description: 'OpenSSH form; stored encrypted and never given back.' })
  privateKey!: string;

  @Field(() => String, { description: '`SHA256:…`, learnt on another way than over this network.' })
  hostKeyFingerprint!: string;

  @Field(() => String, { defaultValue: 'default' })
  environment!: string;
}

@InputType()
export class AddHostsInput {
  @Field(() => [HostInputType])
  hosts!: HostInputType[];

  @Field(() => String)
  idempotencyKey!: string;
}

@InputType()
export class ScanHostKeyInput {
  @Field(() => String)
  address!: string;

  @Field(() => Int, { defaultValue: 22 })
  port!: number;

  @Field(() => String)
  idempotencyKey!: string;
}

@ObjectType({ description: 'What somebody at that address showed. Compare it before you believe it.' })
export class ScannedHostKey {
  @Field(() => String, { description: '`SHA256:…`' })
  fingerprint!: string;

  @Field(() => String, { description: '`ssh-ed25519`, …' })
  keyType!: string;
}

@ObjectType()
export class AddedHosts {
  @Field(() => [String])
  added!: readonly string[];

  @Field(() => [String], { description: 'Known already under this name, and left as they are.' })
  existing!: readonly string[];
}

@InputType()
export class AcceptHostKeyInput {
  @Field(() => String)
  name!: string;

  @Field(() => String)
  fingerprint!: string;

  @Field(() => String)
  idempotencyKey!: string;
}

@ObjectType()
export class AcceptedHostKey {
  @Field(() => String)
  name!: string;

  @Field(() => String, { nullable: true })
  former!: string | null;
}

const ScanHostKeyResult = resultOf('ScanHostKeyResult', ScannedHostKey);
const AddHostsResult = resultOf('AddHostsResult', AddedHosts);
const AcceptHostKeyResult = resultOf('AcceptHostKeyResult', AcceptedHostKey);

@Resolver()
export class InventoryResolver {
  @Query(() => [EnvironmentType])
  async environments(@Ctx() { control, actor }: GraphContext): Promise<readonly EnvironmentType[]> {
    return valueOrError(await control.environments(actor)).map((one) => new EnvironmentType(one));
  }

  @Query(() => HostType, { nullable: true })
  async host(
    @Arg('name', () => String) name: string,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<HostType | null> {
    const hosts = valueOrError(await control.hosts(actor));
    const found = hosts.find((host) => host.name === name || host.key === name);
    return found ? new HostType(found) : null;
  }

  @Query(() => HostConnectionType)
  async hosts(
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<Page<HostType>> {
    const hosts = valueOrError(await control.hosts(actor));
    return pageOfAll(
      hosts,
      first,
      after,
      (host) => host.name,
      (host) => new HostType(host),
    );
  }

  @Query(() => ResourceObject, { nullable: true })
  resource(
    @Arg('key', () => String) key: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ResourceObject | null> {
    return loaders.resource.load(key);
  }

  @Query(() => ResourceConnectionType)
  async resources(
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<Page<ResourceObject>> {
    const all = valueOrError(await control.resources(actor));
    return pageOfAll(
      all,
      first,
      after,
      (one) => one.key,
      (one) => new ResourceObject(one),
    );
  }

  @Mutation(() => ScanHostKeyResult, {
    description:
      'Asks an address for its host key, without logging in; gives up after 10 s. Nothing is stored.',
  })
  async scanHostKey(
    @Arg('input', () => ScanHostKeyInput) input: ScanHostKeyInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<ScannedHostKey | ProblemType> {
    keyOf(input);
    const { address, port } = input;
    const outcome = await control.scanHostKey(actor, { address, port });
    return outcome.ok ? Object.assign(new ScannedHostKey(), outcome.value) : toProblem(outcome.problems);
  }

  @Mutation(() => AddHostsResult)
  async addHosts(
    @Arg('input', () => AddHostsInput) input: AddHostsInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<AddedHosts | ProblemType> {
    const hosts = input.hosts.map((host) => ({ ...host }));
    const outcome = await control.addHosts(actor, { hosts, idempotencyKey: keyOf(input) });
    return outcome.ok ? Object.assign(new AddedHosts(), outcome.value) : toProblem(outcome.problems);
  }

  @Mutation(() => AcceptHostKeyResult, { description: 'What waited for the key goes on by itself.' })
  async acceptHostKey(
    @Arg('input', () => AcceptHostKeyInput) input: AcceptHostKeyInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<AcceptedHostKey | ProblemType> {
    const { name, fingerprint } = input;
    const outcome = await control.acceptHostKey(actor, { name, fingerprint, idempotencyKey: keyOf(input) });
    return outcome.ok ? Object.assign(new AcceptedHostKey(), outcome.value) : toProblem(outcome.problems);
  }
}
