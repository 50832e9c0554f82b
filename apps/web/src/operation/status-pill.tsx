import { StatusGlyph } from '../graph/status-glyph';
import type { Look } from '../graph/status-look';
import tones from '../graph/tones.module.css';
import styles from './operation.module.css';

/** A status as shape, word and colour, in this order of weight [UX-R1]. */
export function StatusPill({ look, text, status }: { look: Look; text: string; status: string }) {
  return (
    <span className={`${styles.pill} ${tones[look.tone]}`} data-status={status}>
      <StatusGlyph look={look} size={16} />
      {text}
    </span>
  );
}
