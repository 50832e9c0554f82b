import type { Plan, PlanNode } from './plan.js';

/** A node with nothing in it but what a test names. */
export function planNode(node: Partial<PlanNode> & { readonly key: string }): PlanNode {
  return {
    kind: 'job',
    stage: 'main',
    job: null,
    target: null,
    dependsOn: [],
    origin: 'template',
    reason: null,
    params: {},
    needs: [],
    inputs: [],
    outputs: [],
    proofs: [],
    checks: [],
    disturbs: [],
    ...node,
  };
}

/** A plan of one stage around these nodes. */
export function planOf(nodes: readonly PlanNode[]): Plan {
  return {
    revision: 1,
    hash: '',
    intent: { action: 'install', desiredResult: {}, constraints: {}, hosts: null },
    scenario: { id: 'web.install', version: '1.0.0', pack: 'web', digest: 'd' },
    title: 'Web',
    subject: { key: 'web/main', type: 'web', name: 'main' },
    environment: 'default',
    params: {},
    sets: {},
    hostKeys: {},
    packs: [],
    stages: [{ id: 'main', title: 'Main' }],
    nodes,
    jobs: {},
    checks: {},
    bindings: [],
    gates: [],
    generate: [],
    provides: [],
    risk: 'low',
    estimate: null,
    plannedAt: '2026-01-01T00:00:00.000Z',
  };
}
