import type { PlanNodeView, PlanView } from './plan-view';

/** A node with nothing in it but what a test names. */
export function nodeView(node: Partial<PlanNodeView> & { readonly key: string }): PlanNodeView {
  return {
    kind: 'job',
    stage: 'main',
    job: node.key,
    target: null,
    dependsOn: [],
    origin: 'template',
    ...node,
  };
}

/** A plan of these nodes; stages and jobs follow from them. */
export function planView(nodes: readonly PlanNodeView[]): PlanView {
  const stages = [...new Set(nodes.map((node) => node.stage))];
  const jobs = [...new Set(nodes.flatMap((node) => node.job ?? []))];
  return {
    stages: stages.map((id) => ({ id, title: `Stage ${id}` })),
    jobs: jobs.map((id) => ({ id, title: `Job ${id}` })),
    nodes,
  };
}

/** `stages` stages one after the other, each of `width` chains of `depth` different jobs. */
export function widePlan(stages: number, width: number, depth = 1): PlanView {
  const nodes: PlanNodeView[] = [];
  let lasts: string[] = [];
  for (let stage = 0; stage < stages; stage++) {
    const before = lasts;
    lasts = [];
    for (let chain = 0; chain < width; chain++) {
      let previous = before;
      for (let step = 0; step < depth; step++) {
        const key = `s${stage}-c${chain}-${step}`;
        nodes.push(nodeView({ key, stage: `s${stage}`, target: `node/h${chain}`, dependsOn: previous }));
        previous = [key];
      }
      lasts.push(...previous);
    }
  }
  return planView(nodes);
}

/** One job on so many hosts, between one node before and one behind. */
export function fanOut(hosts: number): PlanView {
  const members = Array.from({ length: hosts }, (_, index) =>
    nodeView({
      key: `join[w${index}]`,
      stage: 'join',
      job: 'join',
      target: `node/w${index}`,
      dependsOn: ['init'],
    }),
  );
  return planView([
    nodeView({ key: 'init', stage: 'init' }),
    ...members,
    nodeView({ key: 'verify', stage: 'verify', dependsOn: members.map((node) => node.key) }),
  ]);
}
