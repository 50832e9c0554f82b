import { parentPort } from 'node:worker_threads';
import { createExpressions } from '@capstan/catalog';
import { planIntent } from '@capstan/planner';
import type { PlanningAnswer, PlanningCall } from './planning.js';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');

const expressions = createExpressions();

port.on('message', ({ id, intent, catalog, world }: PlanningCall) => {
  const answer: PlanningAnswer = { id, outcome: planIntent({ intent, catalog, world, expressions }) };
  port.postMessage(answer);
});
