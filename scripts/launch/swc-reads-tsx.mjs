// Loaded before dependency-cruiser: it asks swc to read every file without JSX, and swc then cannot read the pages.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

const cruiser = realpathSync(new URL('../../node_modules/dependency-cruiser/package.json', import.meta.url));
const swc = createRequire(cruiser)('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });
