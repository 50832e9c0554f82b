import Anser from 'anser';
import { memo } from 'react';
import styles from './log.module.css';
import { onlyColours } from './terminal-text';

/** One line with its colours. Only what can be seen is parsed: a log may have 200,000 of them. */
export const AnsiLine = memo(function AnsiLine({ text, mark }: { text: string; mark: string }) {
  const clean = onlyColours(text);
  // Most lines have no colour at all.
  if (!clean.includes('\x1b')) return <Marked text={clean} mark={mark} />;
  return Anser.ansiToJson(clean, { use_classes: true, remove_empty: true }).map((part, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other identity
      key={index}
      className={[
        part.fg ? styles[part.fg] : '',
        part.bg ? styles[`${part.bg}-bg`] : '',
        ...part.decorations.map((decoration) => styles[decoration] ?? ''),
      ].join(' ')}
    >
      <Marked text={part.content} mark={mark} />
    </span>
  ));
});

function Marked({ text, mark }: { text: string; mark: string }) {
  const at = mark === '' ? -1 : text.toLowerCase().indexOf(mark.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + mark.length)}</mark>
      {text.slice(at + mark.length)}
    </>
  );
}
