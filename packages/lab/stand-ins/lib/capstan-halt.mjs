/** Called by the sandbox before a host stops: every server ends cleanly, and what is enabled stays so. */
import { clusters, isRunning } from './cluster.mjs';
import { stopServer } from './server-process.mjs';

for (const cluster of clusters()) {
  if (!(await isRunning(cluster))) continue;
  const { code, text } = await stopServer(cluster);
  if (code !== 0) process.stderr.write(text);
}
