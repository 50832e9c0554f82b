import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** @type {import('next').NextConfig} */
export default {
  // The nearest lockfile is the repository's; without this Turbopack guesses, and warns.
  turbopack: { root: repository },
  poweredByHeader: false,
  compress: false,
  reactStrictMode: true,
  // `npm run check` has the type check of all projects, with its findings in one format.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  // Without it every screen carries all of Mantine.
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks'] },
};
