/** `pg_isready`: asks the server's door without a password. 0 accepting, 1 rejecting, 2 no response, 3 no attempt. */
import { connect } from 'node:net';
import { readOptions } from './options.mjs';
import { serverAddress } from './server-address.mjs';
import { currentUser } from './world.mjs';

const spec = {
  h: 'value',
  host: 'value',
  p: 'value',
  port: 'value',
  t: 'value',
  timeout: 'value',
  q: 'flag',
  quiet: 'flag',
  d: 'value',
  dbname: 'value',
  U: 'value',
  username: 'value',
  V: 'flag',
  version: 'flag',
};
const { options } = readOptions(process.argv.slice(2), spec, (word) => {
  process.stderr.write(
    `pg_isready: invalid option -- '${word.replace(/^-+/, '')}'\nTry "pg_isready --help" for more information.\n`,
  );
  process.exit(3);
});
const value = (...names) => options.findLast(([name]) => names.includes(name))?.[1];
const address = serverAddress(value('h', 'host'), value('p', 'port'));
const answer = await knock(
  address,
  Number(value('t', 'timeout') ?? 3) * 1000,
  value('U', 'username') ?? currentUser(),
);

if (value('q', 'quiet') !== true) process.stdout.write(`${address.shown} - ${answer.words}\n`);
process.exit(answer.code);

/** The server's first byte decides: a request for a password and a refusal of the user both mean that it accepts. */
function knock(where, timeout, user) {
  return new Promise((resolve) => {
    const none = { code: 2, words: 'no response' };
    const socket =
      where.socket === undefined
        ? connect({ host: where.host, port: where.port })
        : connect({ path: where.socket });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    let received = Buffer.alloc(0);
    if (timeout > 0) socket.setTimeout(timeout, () => end(none));
    socket.once('error', () => end(none));
    socket.once('close', () => end(none));
    socket.once('connect', () => socket.write(startupMessage(user)));
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received[0] === 0x52) end({ code: 0, words: 'accepting connections' });
      // E: the whole error message is needed for its SQLSTATE; 57P03 is "starting up" or "shutting down".
      if (received[0] === 0x45 && received.length >= 5 && received.length >= 1 + received.readUInt32BE(1)) {
        const refusing = received.includes('C57P03\0');
        end(
          refusing
            ? { code: 1, words: 'rejecting connections' }
            : { code: 0, words: 'accepting connections' },
        );
      }
    });
  });
}

function startupMessage(user) {
  const body = Buffer.from(`user\0${user}\0database\0postgres\0\0`, 'utf8');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.writeUInt32BE(196608, 4);
  return Buffer.concat([head, body]);
}
