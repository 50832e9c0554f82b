const told = new Set();

/**
 * Whether the test file may register the suite `name`. An absent suite is never skipped silently: where
 * `CAPSTAN_REQUIRE` (comma-separated names) lists it, this throws; elsewhere it prints one line
 * `NOT RUN <suite>: <reason>: <how>`, which `npm test` counts.
 */
export function requireSuite(name, available, reason, how, env = process.env) {
  if (available) return true;
  const line = `NOT RUN ${name}: ${reason}: ${how}`;
  const required = (env.CAPSTAN_REQUIRE ?? '').split(',').map((word) => word.trim());
  if (required.includes(name)) throw new Error(`${line} (CAPSTAN_REQUIRE lists ${name})`);
  if (!told.has(line)) console.log(line);
  told.add(line);
  return false;
}
