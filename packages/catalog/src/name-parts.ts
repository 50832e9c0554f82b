/** `pack:name` or `name`, taken apart. */
export function splitName(reference: string): { readonly pack: string | null; readonly name: string } {
  const colon = reference.indexOf(':');
  if (colon === -1) return { pack: null, name: reference };
  return { pack: reference.slice(0, colon), name: reference.slice(colon + 1) };
}

/** The name without the pack that stands before it. */
export function bareName(reference: string): string {
  return splitName(reference).name;
}
