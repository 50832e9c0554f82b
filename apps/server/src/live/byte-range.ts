/** Bytes `from` to `to`, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one range that a `Range` header asks of so many bytes. `whole`: there is no header, or one that a server may
 * ignore (another unit, several ranges, no sense). `beyond`: it begins after the last byte.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'beyond' {
  const match = /^\s*bytes\s*=\s*(\d{0,16})\s*-\s*(\d{0,16})\s*$/i.exec(header ?? '');
  if (!match) return 'whole';
  const [first = '', last = ''] = match.slice(1);
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Number(last);
    return count === 0 || size === 0 ? 'beyond' : { from: Math.max(0, size - count), to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return 'whole';
  return from >= size ? 'beyond' : { from, to };
}
