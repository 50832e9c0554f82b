import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What `/metrics` tells. Labels are few and ours: a client must not be able to make new series. */
export interface Metrics {
  readonly registry: Registry;
  answered(outcome: 'ok' | 'errors' | 'refused' | 'unauthenticated', seconds: number): void;
  /** A browser reported that a page broke its policy. */
  cspReported(): void;
}

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'capstan_graphql_requests_total',
    help: 'GraphQL requests by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'capstan_graphql_seconds',
    help: 'Time to answer a GraphQL request.',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const reports = new Counter({
    name: 'capstan_csp_reports_total',
    help: 'Reports of browsers that a page broke its content security policy.',
    registers: [registry],
  });
  new Gauge({
    name: 'capstan_info',
    help: 'Version of this server.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  return {
    registry,
    answered(outcome, took) {
      requests.inc({ outcome });
      seconds.observe(took);
    },
    cspReported: () => reports.inc(),
  };
}
