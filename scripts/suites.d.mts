/** See suites.mjs: whether the suite may be registered; announces its absence, throws when it is required. */
export function requireSuite(
  name: string,
  available: boolean,
  reason: string,
  how: string,
  env?: Record<string, string | undefined>,
): boolean;
