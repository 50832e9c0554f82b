// Prints src/api/schema-types.d.ts: the schema as a type, from which gql.tada infers every document's result.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'capstan-schema-types-'));
const local = (path) => fileURLToPath(new URL(path, import.meta.url));
try {
  const plugin = {
    name: 'gql.tada/ts-plugin',
    schema: local('../../../schema/schema.graphql'),
    tadaOutputLocation: './schema-types.d.ts',
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: { plugins: [plugin] } }));
  execFileSync(
    process.execPath,
    [local('../node_modules/gql.tada/bin/cli.js'), 'generate-output', '-c', config],
    { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 },
  );
  // Its own first lines speak to linters that are not used here.
  const types = readFileSync(join(folder, 'schema-types.d.ts'), 'utf8').replace(/^(\/\*.*\*\/\n)+/, '');
  process.stdout.write(`// Made by scripts/print-schema-types.mjs from schema/schema.graphql.\n${types}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
