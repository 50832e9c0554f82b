import { Arg, Ctx, Field, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { PackConnectionType, PackType, ScenarioConnectionType, ScenarioType } from './catalog.js';
import { type Page, pageOfAll } from './connection.js';
import type { GraphContext } from './context.js';
import { valueOrError } from './loaders.js';
import { type ProblemType, resultOf, toProblem } from './problem.js';

@ObjectType()
export class ReloadedPacks {
  @Field(() => [String], { description: '`<name>@<version>` of what new plans see now.' })
  packs!: readonly string[];
}

const ReloadPacksResult = resultOf('ReloadPacksResult', ReloadedPacks);

@Resolver()
export class CatalogResolver {
  @Query(() => ScenarioType, { nullable: true, description: 'By id or `<id>@<version>`.' })
  async scenario(
    @Arg('ref', () => String) ref: string,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<ScenarioType | null> {
    const all = valueOrError(await control.scenarios(actor)).map((one) => new ScenarioType(one));
    return all.find((one) => one.ref === ref || one.id === ref) ?? null;
  }

  @Query(() => ScenarioConnectionType)
  async scenarios(
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<Page<ScenarioType>> {
    const all = valueOrError(await control.scenarios(actor)).map((one) => new ScenarioType(one));
    return pageOfAll(
      all,
      first,
      after,
      (one) => one.ref,
      (one) => one,
    );
  }

  @Query(() => PackConnectionType)
  async packs(
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<Page<PackType>> {
    const all = valueOrError(await control.packs(actor));
    return pageOfAll(
      all,
      first,
      after,
      (pack) => pack.name,
      (pack) => new PackType(pack),
    );
  }

  @Mutation(() => ReloadPacksResult, {
    description: 'Reads the pack folders again; running operations keep theirs.',
  })
  async reloadPacks(@Ctx() { reloadPacks, actor }: GraphContext): Promise<ReloadedPacks | ProblemType> {
    const outcome = await reloadPacks(actor);
    return outcome.ok
      ? Object.assign(new ReloadedPacks(), { packs: outcome.value })
      : toProblem(outcome.problems);
  }
}
