// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what it removes

const OTHER_CONTROLS =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[A-KSTfhilnsu]|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g;
const COLOURS = /\x1b(?:\[[0-9;:]*m)?/g;

/** Output with its colours, and nothing else of what would act on a terminal. */
export function onlyColours(text: string): string {
  return text.replace(OTHER_CONTROLS, '');
}

/** Output without any control sequence: it may be pasted into a terminal. */
export function plainText(text: string): string {
  return onlyColours(text).replace(COLOURS, '');
}
