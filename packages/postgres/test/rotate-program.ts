import { openDatabase } from '@capstan/postgres';

// Says how far it is after each batch, and waits a moment, so that it can be killed in the middle.
const { connection, dataDir } = JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof openDatabase>[0];
const database = await openDatabase({ connection, dataDir });
const pause = new Int32Array(new SharedArrayBuffer(4));
await database.keys.rotate({
  batch: 3,
  progress: (rewrapped) => {
    process.stdout.write(`${rewrapped}\n`);
    Atomics.wait(pause, 0, 0, 50);
  },
});
await database.close();
