import { listFiles } from '../launch/repository.mjs';

const hollow = /^(utils?|utilities|helpers?|common|misc|stuff|shared)$/i;

/** Files and folders whose name says nothing: one concept, one file, named after it. */
export async function run(root) {
  return listFiles(root)
    .filter((file) => /^(packages|apps|schema\/src|scripts|e2e|bench|bin)\//.test(file))
    .filter((file) => file.split('/').some((part) => part.split(/[.\-_]/).some((word) => hollow.test(word))))
    .map((file) => ({ path: file, text: 'name it after what it holds, not utils, helpers, common or misc' }));
}
