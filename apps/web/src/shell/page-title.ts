/** The title of a page; the count of what needs a person comes first, so that a narrow tab still shows it. */
export function pageTitle(title: string, needsAttention: number): string {
  const name = title === '' ? 'Capstan' : `${title} · Capstan`;
  return needsAttention > 0 ? `(${needsAttention}) ${name}` : name;
}
