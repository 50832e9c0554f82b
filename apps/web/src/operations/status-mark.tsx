import { StatusGlyph } from '../graph/status-glyph';
import { lookOf, OPERATION_LOOKS } from '../graph/status-look';
import tones from '../graph/tones.module.css';
import classes from './operations.module.css';

/** A status in words, with the shape and the tone that it has everywhere: colour is never alone [UX-R1]. */
export function StatusMark({ status, label }: { readonly status: string; readonly label: string }) {
  const look = lookOf(OPERATION_LOOKS, status as never);
  return (
    <span className={`${classes.status} ${tones[look.tone]}`} data-status={status}>
      <StatusGlyph look={look} size={16} />
      {label}
    </span>
  );
}
