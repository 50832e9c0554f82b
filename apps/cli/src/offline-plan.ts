import { createExpressions, loadCatalog, readIntent } from '@capstan/catalog';
import { type HostView, hostName, type Intent } from '@capstan/model';
import { type PlanPresentation, planIntent, presentPlan, type World } from '@capstan/planner';
import type { Answer } from './client.js';
import { refusal, showProblem } from './shown-problem.js';

/** Plans without a server: in a world where the hosts that the intent names exist, enrolled, with nothing proved. */
export async function planOffline(
  document: { readonly file: string; readonly text: string },
  packFolders: readonly string[],
  now = new Date().toISOString(),
): Promise<Answer<PlanPresentation>> {
  const read = readIntent(document.text, document.file);
  if (!read.ok) return { ok: false, failure: refusal(read.problems.map(showProblem)) };
  const { intent, locate } = read.value;
  const { catalog, problems } = await loadCatalog(packFolders);
  const outcome = planIntent({
    intent,
    catalog,
    world: offlineWorld(intent, now),
    expressions: createExpressions(),
  });
  if (outcome.kind === 'plan') return { ok: true, data: presentPlan(outcome.plan) };
  // A pack that stayed out may be why there is no plan.
  return { ok: false, failure: refusal([...locate(outcome.problems), ...problems].map(showProblem)) };
}

/** A lab of its own, so that nothing in it can be taken for a real machine. */
function offlineWorld(intent: Intent, now: string): World {
  const wanted = intent.constraints.environment;
  const environment = typeof wanted === 'string' ? wanted : 'lab';
  return {
    now,
    environments: [{ name: environment, kind: 'lab' }],
    hosts: namedHosts(intent).map(
      (name): HostView => ({
        name,
        key: `node/${name}`,
        environment,
        address: '127.0.0.1',
        provenance: 'stand_in',
        isolated: true,
        hostKeyFingerprint: null,
        tier: 'sandbox',
      }),
    ),
    resources: [],
    facts: [],
    artifacts: [],
  };
}

/** Hosts of `hosts:`, and of parameters that name one as `node/<name>`. */
function namedHosts(intent: Intent): string[] {
  const listed =
    intent.hosts === null
      ? []
      : Array.isArray(intent.hosts)
        ? intent.hosts
        : Object.values(intent.hosts).flat();
  const parameters = Object.values(intent.desiredResult)
    .flat()
    .filter((value): value is string => typeof value === 'string' && value.startsWith('node/'));
  return [...new Set([...(listed as string[]), ...parameters].map(hostName))].sort();
}
