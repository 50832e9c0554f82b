/**
 * Text of a host as it may reach a person's terminal: colours stay, everything else that could move the cursor, set a title,
 * write the clipboard or ring goes (C19). A pipe gets the text as it is.
 */
export function inert(text: string): string {
  return text
    .replace(OSC, '')
    .replace(CSI, (sequence) => (sequence.endsWith('m') ? sequence : ''))
    .replace(CONTROL, '');
}

const ESCAPE = '\\u001b';
/** Operating system commands, device control and their kin, to their end or the end of the line. */
const OSC = new RegExp(`${ESCAPE}[\\]PX^_][^\\u0007\\n]*?(?:\\u0007|${ESCAPE}\\\\|(?=\\n)|$)`, 'g');
const CSI = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]`, 'g');
/** Every control character but tab, line feed, carriage return, and an escape that begins a colour. */
const CONTROL = new RegExp(
  `[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001a\\u001c-\\u001f\\u007f-\\u009f]|${ESCAPE}(?!\\[[0-9;:]*m)`,
  'g',
);
