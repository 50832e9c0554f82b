/** What became of a code, as the page tells it. */
export type SignInOutcome = 'signed_in' | 'unusable' | 'too_many' | 'wrong_origin' | 'offline' | 'failed';

/** Trades a one-time code for the session cookie. */
export async function sendCode(code: string): Promise<SignInOutcome> {
  try {
    const answer = await fetch('/auth/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-capstan-csrf': '1' },
      body: JSON.stringify({ code }),
    });
    if (answer.ok) return 'signed_in';
    if (answer.status === 401) return 'unusable';
    if (answer.status === 429) return 'too_many';
    return answer.status === 403 ? 'wrong_origin' : 'failed';
  } catch {
    return 'offline'; // fetch rejects only when no answer came
  }
}
