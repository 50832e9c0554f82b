/** What a browser sees at `/` as long as there are no screens. Names no state and needs no sign-in. */
export function welcomePage(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Capstan</title>
<meta name="viewport" content="width=device-width">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: #1c2024; background: #fff }
  pre { background: #f1f3f5; padding: .75rem 1rem; border-radius: .4rem; overflow-x: auto }
  @media (prefers-color-scheme: dark) { body { color: #e6e8eb; background: #16181a } pre { background: #22262a } a { color: #8ab4ff } }
</style>
<h1>Capstan ${version}</h1>
<p>The infrastructure control plane runs here. It is used through its command line, inside the checkout:</p>
<pre>npx capstan plan -f examples/postgres.yaml
npx capstan apply -f examples/postgres.yaml --yes --wait
npx capstan get resources
npx capstan get operations
npx capstan --help</pre>
<p>GraphQL answers at <code>POST /graphql</code> with a bearer token; <code>/healthz</code>, <code>/readyz</code> and
<code>/metrics</code> answer without one.</p>
</html>
`;
}
