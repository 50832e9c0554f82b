import type { Plan, PlanNode, RiskLevel } from '@capstan/model';
import { RISK_LEVELS } from '@capstan/model';
import type { Frame } from './frame.js';

/** The highest risk among the scenario and the jobs of the plan. */
export function judgeRisk(frame: Frame, jobs: Plan['jobs']): RiskLevel {
  const levels = [frame.scenario.risk, ...Object.values(jobs).map((job) => job.risk)];
  return levels.reduce((highest, level) =>
    RISK_LEVELS.indexOf(level) > RISK_LEVELS.indexOf(highest) ? level : highest,
  );
}

/** Duration along the critical path, or null while one of the jobs has no estimate: a sum with holes would be a lie. */
export function judgeEstimate(ordered: readonly PlanNode[], jobs: Plan['jobs']): Plan['estimate'] {
  if (Object.values(jobs).some((job) => job.estimate === undefined)) return null;
  const longest = (of: 'p50Ms' | 'p90Ms'): number => {
    const ends = new Map<string, number>();
    for (const node of ordered) {
      const start = Math.max(0, ...node.dependsOn.map((key) => ends.get(key) ?? 0));
      ends.set(node.key, start + ((node.job === null ? undefined : jobs[node.job]?.estimate?.[of]) ?? 0));
    }
    return Math.max(0, ...ends.values());
  };
  return { p50Ms: longest('p50Ms'), p90Ms: longest('p90Ms') };
}
