import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { gapAt } from '../live/log-gap.js';
import type { GraphContext } from './context.js';
import { ByteOffset } from './scalars.js';
import { cutAtCharacter } from './utf8-cut.js';

/** Bytes of one page; a character cut at its end is given to the next page. */
const PAGE_BYTES = 256 * 1024;

@ObjectType({ description: 'A piece of the stored, already masked output of an attempt.' })
export class LogPage {
  @Field(() => ByteOffset)
  from!: number;

  @Field(() => ByteOffset, { description: 'Ask again from here.' })
  next!: number;

  @Field(() => String, { description: 'Bytes that are no UTF-8 appear as U+FFFD.' })
  text!: string;

  @Field(() => Boolean, { description: 'The output is complete and `next` is its end.' })
  end!: boolean;

  @Field(() => String, {
    description: 'Changes when stored bytes were masked afterwards: read again from 0.',
  })
  etag!: string;

  @Field(() => Boolean, {
    description: '`text` is no output: it says what was not kept or was removed between `from` and `next`.',
  })
  missing!: boolean;
}

@Resolver()
export class AttemptLogResolver {
  @Query(() => LogPage, {
    nullable: true,
    description: 'Null when there is no such attempt in that operation.',
  })
  async attemptLog(
    @Arg('operation', () => String, { description: 'Id or number.' }) ref: string,
    @Arg('attempt', () => ID) attemptId: string,
    @Arg('from', () => ByteOffset, { nullable: true }) from: number | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<LogPage | null> {
    const start = from ?? 0;
    const outcome = await context.control.log(context.actor, {
      operation: ref,
      attemptId,
      from: start,
      limit: PAGE_BYTES,
    });
    if (!outcome.ok) return null;
    const { attempt, bytes } = outcome.value;
    const missing = bytes.length === 0 ? gapAt(start, attempt) : null;
    const end = missing ? missing.to : start + bytes.length;
    const last = (attempt.logComplete || missing?.forGood === true) && end >= attempt.logSize;
    const { logCut: cut = null } = attempt;
    // A character whose rest was not kept will never be finished.
    const shown = last || end === cut?.from ? bytes : cutAtCharacter(bytes);
    return {
      from: start,
      next: missing ? missing.to : start + shown.length,
      text: missing ? missing.text : new TextDecoder().decode(shown),
      end: last,
      etag: attempt.logEtag,
      missing: missing !== null,
    };
  }
}
