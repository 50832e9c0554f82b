import { resolve } from 'node:path';
import { loadCatalog, loadPack } from '@capstan/catalog';
import { renderText } from '@capstan/model';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Settings } from '../settings.js';
import { problemLine, showProblem } from '../shown-problem.js';

/** `pack check DIR`: a whole pack; what it needs is looked for beside it and in the pack folders. */
export async function checkPack(console: Console, settings: Settings, dir: string): Promise<ExitCode> {
  const known = await loadCatalog(settings.packFolders);
  const others = known.packs.filter((one) => resolve(one.dir) !== resolve(dir)).map((one) => one.pack);
  const loaded = await loadPack(dir, others);
  if (!loaded.ok) {
    const problems = loaded.problems.map(showProblem);
    for (const problem of problems) console.note(problemLine(problem));
    console.document({ pack: null, problems, notes: [] });
    return EXIT.refused;
  }
  const { pack } = loaded.value;
  const notes = loaded.value.notes.map((note) => renderText(note));
  const { name, version, digest } = pack;
  console.document({ pack: { name, version, digest }, problems: [], notes });
  console.say(
    `${name} ${version}: ${pack.scenarios.length} scenarios, ${pack.jobs.length} jobs, ${pack.checks.length} checks, fine`,
  );
  for (const note of notes) console.say(`  ${note}`);
  return EXIT.ok;
}
