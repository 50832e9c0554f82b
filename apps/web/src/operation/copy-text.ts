/** Puts text on the clipboard; whether it is there. `navigator.clipboard` is missing on plain http, the old way is not. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not permitted, or the page has no focus: the old way may still do.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  // Deprecated, and the only way without a secure context.
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
