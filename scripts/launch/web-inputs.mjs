import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './repository.mjs';
import { hashInputs } from './stamp.mjs';

const read = /\.(ts|tsx|css|json|mjs|svg|png)$/;

/** The hash of everything that the pages are built from; also the build's id, which the API tells. */
export function webInputs(root) {
  const files = ['apps/web', 'packages/model/src']
    .flatMap((folder) => listFiles(root, folder))
    .filter((file) => read.test(file) && !/\.test(-support)?\.tsx?$/.test(file) && !made.test(file));
  return hashInputs(
    root,
    ['pnpm-lock.yaml', ...files].filter((file) => existsSync(join(root, file))),
  );
}

/** What the build itself writes beside its sources. */
const made = /^apps\/web\/(\.next\/|next-env\.d\.ts$)/;
