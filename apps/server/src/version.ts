import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './config.js';

/** Version of this checkout. */
export const VERSION = (
  JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string }
).version;
