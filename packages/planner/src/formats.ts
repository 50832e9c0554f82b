/** The formats of JSON Schema that packs may name; each says whether a text has it. Patterns are linear. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': (text) => {
    const [date, time, more] = text.split(/[Tt]/);
    return more === undefined && isDate(date ?? '') && isTime(time ?? '');
  },
  duration: (text) =>
    /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/.test(text) || /^P\d+W$/.test(text),
  uri: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(text),
  email: (text) => {
    const at = text.lastIndexOf('@');
    return at > 0 && /^[^\s@"]{1,64}$/.test(text.slice(0, at)) && isHostname(text.slice(at + 1));
  },
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
};

function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The 30th of February is read as the 2nd of March, so the date must come back as it went in.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(text);
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split('.').every((label) => /^[A-Za-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label))
  );
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1);
  const mapped = last !== undefined && isIpv4(last);
  const all = mapped ? groups.flat().slice(0, -1) : groups.flat();
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  const length = all.length + (mapped ? 2 : 0);
  return halves.length === 2 ? length < 8 : length === 8;
}
