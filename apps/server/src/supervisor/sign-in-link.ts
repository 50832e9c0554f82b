/** Asks the server, by its token, for a link that opens the pages once. */
export async function signInLink(serverUrl: string, token: string): Promise<string> {
  const answer = await fetch(new URL('auth/codes', serverUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`${serverUrl} gave no sign-in link: ${answer.status}`);
  return ((await answer.json()) as { data: { url: string } }).data.url;
}
