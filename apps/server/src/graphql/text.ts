import { type PackText, packText, type Reason, renderReason, renderText, type Text } from '@capstan/model';
import { Arg, Field, ObjectType } from 'type-graphql';
import { Json } from './scalars.js';

type Locale = 'en' | 'ru';

/** A stable code with arguments; the words are made when they are asked for. */
@ObjectType('Text', { description: 'Something a person reads: a stable code, its arguments, and the words.' })
export class TextType {
  @Field(() => String)
  readonly code: string;

  @Field(() => Json)
  readonly args: Readonly<Record<string, unknown>>;

  readonly #words: (locale: Locale) => string;

  constructor(code: string, args: Readonly<Record<string, unknown>>, words: (locale: Locale) => string) {
    this.code = code;
    this.args = args;
    this.#words = words;
  }

  @Field(() => String, { description: 'In `ru` where it is translated, else in English.' })
  text(@Arg('locale', () => String, { nullable: true }) locale: string | null | undefined): string {
    return this.#words(localeOf(locale));
  }
}

/** The language of an argument: `ru` for whatever begins with it, English for all else. */
export function localeOf(locale: string | null | undefined): Locale {
  return locale?.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

export function fromText(text: Text): TextType {
  return new TextType(text.code, text.args, (locale) => renderText(text, locale));
}

export function fromReason(reason: Reason | null): TextType | null {
  return reason === null
    ? null
    : new TextType(reason.code, reason.args, (locale) => renderReason(reason, locale));
}

/** A text of a pack's author has no code of ours. */
export function fromPackText(title: PackText): TextType {
  const args = typeof title === 'string' ? { en: title } : { ...title };
  return new TextType('pack_text', args, (locale) => packText(title, locale));
}
