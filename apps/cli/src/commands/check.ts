import { checkFiles, type DocumentReport } from '@capstan/catalog';
import type { Console } from '../console.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { failure, problemLine, showProblem } from '../shown-problem.js';

/** `check FILE…`: any Capstan document; incomplete is fine, wrong is not. */
export async function check(console: Console, files: readonly string[]): Promise<ExitCode> {
  if (files.length === 0) {
    const none = failure(EXIT.refused, 'usage', 'there is nothing to check', 'at least one file');
    return console.fail({
      ...none,
      problems: none.problems.map((one) => ({ ...one, code: 'no_documents' })),
    });
  }
  const reports = await checkFiles(files);
  console.document({ documents: reports.map(documentOf) });
  for (const report of reports) {
    const verdict = report.problems.length > 0 ? 'wrong' : report.complete ? 'complete' : 'incomplete';
    console.say(`${report.file}: ${report.kind}, ${verdict}`);
    for (const missing of report.missing) console.say(`  missing: ${missing}`);
    for (const problem of report.problems) console.note(problemLine(showProblem(problem)));
  }
  return reports.length === 0 || reports.some((report) => report.problems.length > 0)
    ? EXIT.refused
    : EXIT.ok;
}

function documentOf(report: DocumentReport): unknown {
  const { file, kind, complete, normal, missing, problems } = report;
  const places = problems.map((problem) => ({
    ...showProblem(problem),
    ...(problem.alsoAt ? { alsoAt: problem.alsoAt } : {}),
  }));
  return { file, kind, complete, normal, missing, problems: places };
}
