/** What the fragment of /sign-in says: a one-time code, or `from=<path>` of the page that was asked for. */
export function readFragment(hash: string): { readonly code: string; readonly returnTo: string } {
  const text = hash.replace(/^#/, '');
  if (!text.startsWith('from=')) return { code: text, returnTo: '/' };
  const path = decode(text.slice('from='.length));
  return { code: '', returnTo: isLocalPath(path) ? path : '/' };
}

/** `//host` and `/\host` lead to another site. */
function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !path.startsWith('/sign-in');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // not what the server writes
  }
}
