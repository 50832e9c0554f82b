import { once } from 'node:events';
import type { EmbeddedOptions } from '@capstan/postgres';
import { startEmbedded } from '@capstan/postgres';

const log: string[] = [];
const options = JSON.parse(process.argv[2] ?? '{}') as EmbeddedOptions;
try {
  const server = await startEmbedded({ ...options, log: (line) => log.push(line) });
  const { url, pid, nativeDir } = server;
  process.stdout.write(`${JSON.stringify({ url, pid, nativeDir, log })}\n`);
  await once(process.stdin, 'data');
  await server.stop();
} catch (error) {
  const { message, code } = error as Error & { code?: string };
  process.stdout.write(`${JSON.stringify({ error: message, code, log })}\n`);
}
process.stdin.destroy();
