/** The bytes without an unfinished UTF-8 character at their end. What can never be finished is not held back. */
export function cutAtCharacter(bytes: Uint8Array): Uint8Array {
  const tail = Math.min(3, bytes.length);
  for (let back = 1; back <= tail; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function lengthOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}
