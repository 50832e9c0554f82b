import type { Job, Text } from '@capstan/model';
import { text } from '@capstan/model';
import type { Frame } from './frame.js';

/** What forbids inserting a job whatever it is needed for, or null (S3). */
export function notInsertable(frame: Frame, job: Job): Text | null {
  if (!job.onDemand) return text(job.destructive ? 'plan.not_on_demand_destructive' : 'plan.not_on_demand');
  if (job.destructive) return text('plan.destructive');
  if (job.risk === 'high' || job.risk === 'critical') return text('plan.too_risky', { risk: job.risk });
  const needs = frame.catalog.packs.get(frame.scenario.pack)?.needs ?? {};
  if (job.pack === frame.scenario.pack || Object.hasOwn(needs, job.pack)) return null;
  return text('plan.pack_not_needed', { pack: job.pack, by: frame.scenario.pack });
}
