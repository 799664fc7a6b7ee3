import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { withTimeout, timedOut } from '../system/system-clock.ts';
import {
  encodeSetupRequest,
  findRootWindow,
  firstResourceId,
  internAtom,
  messageHeadLength,
  messageRestLength,
  parseLocalDisplay,
  readXCredentials,
  replyValue,
  setupHeadLength,
  setupRestLength,
  type XDisplay,
} from './x-protocol.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The server is local, so a missing answer means that it hangs. */
const patienceMs = 2000;

/** A connection to the X server of this desktop. */
export class XConnection {
  readonly root: number;
  readonly screen: number;
  /** The id for the one window that Parley may create. */
  readonly ownId: number;
  readonly #socket: Socket;
  readonly #onEvent: (event: Buffer) => void;
  readonly #onClosed: () => void;
  /** By the number of the request, as the server counts. */
  readonly #waiting = new Map<number, (reply: Buffer | undefined) => void>();
  #requests = 0;

  private constructor(
    socket: Socket,
    { root, screen, ownId }: Pick<XConnection, 'root' | 'screen' | 'ownId'>,
    { onEvent, onClosed }: XListener,
  ) {
    this.#socket = socket;
    this.root = root;
    this.screen = screen;
    this.ownId = ownId;
    this.#onEvent = onEvent;
    this.#onClosed = onClosed;
  }

  /** Undefined without a local display; throws if it does not answer or refuses us. */
  static async open(
    environment: Environment,
    listener: XListener = noListener,
  ): Promise<XConnection | undefined> {
    const display = parseLocalDisplay(environment);
    if (display === undefined) return undefined;
    const socket = connect(display.socket);
    // An error closes the socket.
    socket.on('error', () => undefined);
    try {
      const greeted = await withTimeout(patienceMs, greet(socket, display, environment));
      if (greeted === timedOut) throw noAnswer;
      // The connection must not keep the process alive.
      socket.unref();
      const connection = new XConnection(socket, { ...greeted, screen: display.screen }, listener);
      void connection.#listen();
      return connection;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Sends a request that has no reply. */
  send(request: Buffer): void {
    if (this.#socket.destroyed) return;
    this.#requests += 1;
    this.#socket.write(request);
  }

  /** Returns the reply with its extra data; undefined for an error, or after a disconnect. */
  async ask(request: Buffer): Promise<Buffer | undefined> {
    if (this.#socket.destroyed) return undefined;
    this.send(request);
    const number = this.#requests % 0x1_00_00;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
    });
  }

  /** Returns the atom of a name; 0 after a disconnect. */
  async atom(name: string): Promise<number> {
    const reply = await this.ask(internAtom(name));
    return (reply && replyValue(reply)) ?? 0;
  }

  end(): void {
    this.#socket.destroy();
  }

  async #listen(): Promise<void> {
    const socket = this.#socket;
    try {
      for (;;) {
        const head = await take(socket, messageHeadLength);
        const message = Buffer.concat([head, await take(socket, messageRestLength(head))]);
        const [kind = 0] = head;
        const number = head.readUInt16LE(2);
        const answered = kind > 1 ? undefined : this.#waiting.get(number);
        this.#waiting.delete(number);
        // An error of a request without a reply tells that its window is gone.
        if (answered === undefined) this.#onEvent(message);
        else answered(kind === 1 ? message : undefined);
      }
    } catch {
      socket.destroy();
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const answered of waiting) answered(undefined);
      this.#onClosed();
    }
  }
}

/** Opens a connection for this work and closes it afterwards; undefined if there is no X server. */
export async function withXConnection<Value>(
  environment: Environment,
  work: (x: XConnection) => Promise<Value>,
  listener?: XListener,
): Promise<Value | undefined> {
  const connection = await XConnection.open(environment, listener).catch(() => undefined);
  if (connection === undefined) return undefined;
  try {
    return await work(connection);
  } finally {
    connection.end();
  }
}

interface XListener {
  /** A subscribed window has changed, or another program asks for a selection. */
  readonly onEvent: (event: Buffer) => void;
  readonly onClosed: () => void;
}

const noListener: XListener = { onEvent: () => undefined, onClosed: () => undefined };

async function greet(
  socket: Socket,
  display: XDisplay,
  environment: Environment,
): Promise<Pick<XConnection, 'root' | 'ownId'>> {
  socket.write(encodeSetupRequest(await readXCredentials(display, environment)));
  const head = await take(socket, setupHeadLength);
  const greeting = Buffer.concat([head, await take(socket, setupRestLength(head))]);
  const root = findRootWindow(greeting, display.screen);
  if (root === undefined) throw new Error(`the X server of ${display.socket} refuses connections`);
  return { root, ownId: firstResourceId(greeting) };
}

const noAnswer = new Error('the X server does not answer');

/** Reads exactly this many bytes; rejects if the connection ends first. */
async function take(socket: Socket, count: number): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0);
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes?.length === count) return bytes;
    if (bytes !== null || socket.closed) throw noAnswer;
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([once(socket, 'readable', { signal }), once(socket, 'close', { signal })]);
    // Removes the listener of the event that did not occur; otherwise each message would leave one.
    waiting.abort();
  }
}
