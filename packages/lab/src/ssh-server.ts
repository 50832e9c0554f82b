import { createServer, type Server as NetServer, type Socket as NetSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh2, {
  type AuthContext,
  type Connection,
  type ParsedKey,
  type ServerChannel,
  type Session,
} from 'ssh2';
import type { RunningCommand } from './command.js';
import { Link } from './link.js';

/** What a client asks a host to run. */
export interface CommandRequest {
  readonly user: string;
  /** The command line as the client sent it; undefined asks for the login shell itself. */
  readonly line: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** What the server needs of its host. */
export interface SshServerHost {
  readonly users: readonly string[];
  /** Public key lines that may log in. */
  readonly authorizedKeys: readonly string[];
  run(request: CommandRequest): Promise<RunningCommand>;
}

/** OpenSSH's defaults: MaxSessions, and AcceptEnv as Debian sets it. */
const MAX_SESSIONS = 10;
const ACCEPTED_ENV = /^(LANG|LC_[A-Z]+)$/;
const AUTHENTICATION_ATTEMPTS = 6;

/** An SSH server for one host on 127.0.0.1. It takes the lab's keys and nothing else. */
export class SshServer {
  /** Authentication requests that arrived since the start, of whatever method. */
  authenticationRequests = 0;
  maxSessions = MAX_SESSIONS;
  readonly #host: SshServerHost;
  readonly #allowed: readonly ParsedKey[];
  readonly #links = new Set<Link>();
  #protocol: ssh2.Server;
  #listener: NetServer | undefined;
  #held = false;
  #refusing = false;

  constructor(host: SshServerHost, hostKey: string) {
    this.#host = host;
    this.#allowed = host.authorizedKeys.map(publicKeyOf);
    this.#protocol = this.#protocolWith(hostKey);
  }

  /** Listens on `preferred` if it is free, else on a port the system chooses; resolves to the port. */
  async listen(preferred: number): Promise<number> {
    this.#listener = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    for (const port of preferred === 0 ? [0] : [preferred, 0]) {
      const bound = await tryListen(this.#listener, port);
      if (bound !== undefined) return bound;
    }
    throw new Error('no port of 127.0.0.1 could be listened on');
  }

  /** New connections are shown this host key from now on. */
  useHostKey(privateKey: string): void {
    this.#protocol = this.#protocolWith(privateKey);
  }

  hold(): void {
    this.#held = true;
    for (const link of this.#links) link.hold();
  }

  /** Ends `hold` and `refuse`. */
  restore(): void {
    this.#held = false;
    this.#refusing = false;
    for (const link of this.#links) link.release();
  }

  /** Resets every connection, and every new one at once, until `restore`. */
  refuse(): void {
    this.#refusing = true;
    this.resetLinks();
  }

  resetLinks(): void {
    for (const link of this.#links) link.reset();
  }

  async close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.resetLinks();
    if (listener) await new Promise<void>((resolve) => listener.close(() => resolve()));
  }

  #accept(socket: NetSocket): void {
    if (this.#refusing) {
      socket.resetAndDestroy();
      return;
    }
    const link = new Link(socket);
    if (this.#held) link.hold();
    this.#links.add(link);
    link.once('close', () => this.#links.delete(link));
    this.#protocol.injectSocket(link as unknown as NetSocket);
  }

  #protocolWith(hostKey: string): ssh2.Server {
    return new ssh2.Server({ hostKeys: [hostKey] }, (connection) => this.#serve(connection));
  }

  #serve(connection: Connection): void {
    let refused = 0;
    let user = '';
    connection.on('error', () => {}); // the peer went away; 'close' follows and ends its channels
    sayWhyOpenFailed(connection);
    connection.on('authentication', (context) => {
      this.authenticationRequests += 1;
      if (this.#admits(context)) {
        user = context.username;
        context.accept();
        return;
      }
      if (context.method !== 'none') refused += 1;
      context.reject(['publickey']);
      if (refused >= AUTHENTICATION_ATTEMPTS) connection.end();
    });
    let sessions = 0;
    connection.on('session', (accept, reject) => {
      if (sessions >= this.maxSessions) {
        reject();
        return;
      }
      sessions += 1;
      const session = accept();
      session.once('close', () => {
        sessions -= 1;
      });
      this.#serveSession(session, user);
    });
  }

  #admits(context: AuthContext): boolean {
    if (context.method !== 'publickey' || !this.#host.users.includes(context.username)) return false;
    const { key, signature, blob, hashAlgo } = context;
    const known = this.#allowed.find((allowed) => allowed.getPublicSSH().equals(key.data));
    if (!known) return false;
    if (!signature) return true; // a question whether the key would do; the library grants nothing on it
    return blob !== undefined && known.verify(blob, signature, hashAlgo) === true;
  }

  #serveSession(session: Session, user: string): void {
    const env: Record<string, string> = {};
    let running: Promise<RunningCommand> | undefined;
    session.on('env', (accept, reject, { key, val }) => {
      const admitted = ACCEPTED_ENV.test(key);
      if (admitted) env[key] = val;
      (admitted ? accept : reject)?.();
    });
    session.on('signal', (accept, _reject, { name }) => {
      void running?.then((command) => command.signal(`SIG${name}` as NodeJS.Signals));
      accept?.();
    });
    const start = (channel: ServerChannel, line: string | undefined): void => {
      let closed = false;
      channel.once('close', () => {
        closed = true;
      });
      running = this.#host.run({ user, line, env });
      running.then(
        (command) => (closed ? command.signal('SIGHUP') : connect(channel, command)),
        (error: Error) => {
          channel.stderr.write(`${error.message}\n`);
          channel.exit(255);
          channel.end();
        },
      );
    };
    session.on('exec', (accept, _reject, { command }) => start(accept(), command));
    session.on('shell', (accept) => start(accept(), undefined));
  }
}

/** Streams between a channel and its command, and the end of either to the other, as sshd does it. */
function connect(channel: ServerChannel, command: RunningCommand): void {
  let ended = false;
  channel.pipe(command.stdin);
  command.stdout.pipe(channel, { end: false });
  command.stderr.pipe(channel.stderr as unknown as Duplex, { end: false });
  // The exit status goes out when the command itself ends; the channel closes only when its output has, which a
  // process left in the background can delay for ever.
  void command.ended.then((end) => {
    ended = true;
    if ('signal' in end) channel.exit(end.signal.replace(/^SIG/, ''), false, '');
    else channel.exit(end.code);
  });
  void Promise.all([command.ended, endOf(command.stdout), endOf(command.stderr)]).then(() => channel.end());
  channel.once('close', () => {
    if (!ended) command.signal('SIGHUP');
    command.stdin.destroy();
    command.stdout.destroy();
    command.stderr.destroy();
  });
}

function endOf(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
}

/** sshd says "open failed" when MaxSessions is reached; the library would say nothing. */
function sayWhyOpenFailed(connection: Connection): void {
  const { _protocol: protocol } = connection as unknown as {
    _protocol: { channelOpenFail(recipient: number, reason: number, description: string): void };
  };
  const send = protocol.channelOpenFail.bind(protocol);
  protocol.channelOpenFail = (recipient, reason, description) =>
    send(recipient, reason, description || 'open failed');
}

function tryListen(listener: NetServer, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const failed = (): void => resolve(undefined);
    listener.once('error', failed);
    listener.listen(port, '127.0.0.1', () => {
      listener.removeListener('error', failed);
      const address = listener.address();
      resolve(typeof address === 'object' && address ? address.port : undefined);
    });
  });
}

function publicKeyOf(line: string): ParsedKey {
  const key = ssh2.utils.parseKey(line);
  if (key instanceof Error) throw new Error(`not a public SSH key: ${line.slice(0, 40)}`);
  return key;
}
