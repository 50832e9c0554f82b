import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Half of the cases take at most `low`, nine of ten at most `high`.' })
export class DurationRange {
  @Field(() => Int)
  lowSeconds!: number;

  @Field(() => Int)
  highSeconds!: number;
}

export function durationOf(
  usual: { readonly p50Ms: number; readonly p90Ms: number } | null | undefined,
): DurationRange | null {
  if (!usual) return null;
  return { lowSeconds: Math.ceil(usual.p50Ms / 1000), highSeconds: Math.ceil(usual.p90Ms / 1000) };
}
