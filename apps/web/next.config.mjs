import { fileURLToPath } from 'node:url';
import { webInputs } from '../../scripts/launch/web-inputs.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** @type {import('next').NextConfig} */
export default {
  // The nearest lockfile is the repository's; without this Turbopack guesses, and warns.
  turbopack: {
    root: repository,
    resolveAlias: { '@rjsf/validator-ajv8': './src/new/form/no-test-validator.ts' },
  },
  // The same sources are the same build, wherever they are built.
  generateBuildId: () => webInputs(repository).slice(0, 16),
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  // `npm run check` has the type check of all projects, with its findings in one format.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  experimental: {
    // Without it every screen carries all of Mantine.
    optimizePackageImports: ['@mantine/core', '@mantine/hooks'],
    // 150 MB that take as long to write as they save; and most builds are the first of their sources.
    turbopackFileSystemCacheForBuild: false,
  },
};
