import { spawn } from 'node:child_process';

const progressEvery = 5_000;
const keptOutput = 64 * 1024;

/**
 * Runs one long step quietly, with a line of progress every 5 s. Returns `{ok, seconds, output}`; `output` is
 * the end of what the command printed, for the caller to show when the step failed.
 */
export function runStep({ title, command, args, cwd, env, say }) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ticker = setInterval(() => say(`  ${title}: ${seconds()} s`), progressEvery);
    const stop = forwardStop(child);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-keptOutput);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const finish = (ok, note) => {
      clearInterval(ticker);
      stop();
      resolve({ ok, seconds: seconds(), output: output + note });
    };
    child.once('error', (error) => finish(false, `\n${command}: ${error.message}`));
    child.once('close', (code) => finish(code === 0, ''));
  });
}

/** A stop signal to this process ends the step too, and then this process with the usual code. */
function forwardStop(child) {
  const handlers = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ].map(([signal, code]) => {
    const handler = () => {
      child.kill(signal);
      process.exit(code);
    };
    process.once(signal, handler);
    return [signal, handler];
  });
  return () => {
    for (const [signal, handler] of handlers) process.removeListener(signal, handler);
  };
}
