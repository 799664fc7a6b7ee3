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
  type XEnvironment,
} from './x-protocol.ts';

/** The server is local. If it does not answer within this time, it hangs. */
const greetTimeoutMs = 2000;

/** A connection to the X server of this desktop. */
export class XConnection {
  readonly root: number;
  readonly screen: number;
  /** The id for the one window that Parley may create. */
  readonly ownId: number;
  readonly #socket: Socket;
  readonly #onEvent: (event: Buffer) => void;
  readonly #onClosed: () => void;
  /** The replies that are awaited, by the number of the request as the server counts. */
  readonly #pendingReplies = new Map<number, (reply: Buffer | undefined) => void>();
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

  /** Opens a connection. Undefined without a local display. Throws if it does not answer, or refuses Parley. */
  static async open(
    environment: XEnvironment,
    listener: XListener = noListener,
  ): Promise<XConnection | undefined> {
    const display = parseLocalDisplay(environment);
    if (display === undefined) return undefined;
    const socket = connect(display.socket);
    // An error closes the socket.
    socket.on('error', () => undefined);
    try {
      const setup = await withTimeout(greetTimeoutMs, greet(socket, display, environment));
      if (setup === timedOut) throw noAnswer;
      // The connection must not keep the process alive.
      socket.unref();
      const connection = new XConnection(socket, { ...setup, screen: display.screen }, listener);
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

  /** Returns the reply with its extra data. Undefined for an error, or after a disconnect. */
  async ask(request: Buffer): Promise<Buffer | undefined> {
    if (this.#socket.destroyed) return undefined;
    this.send(request);
    const number = this.#requests % 0x1_00_00;
    return new Promise((resolve) => this.#pendingReplies.set(number, resolve));
  }

  /** Returns the atom of a name, or 0 after a disconnect. */
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
        const header = await readBytes(socket, messageHeadLength);
        const message = Buffer.concat([header, await readBytes(socket, messageRestLength(header))]);
        const [kind = 0] = header;
        const number = header.readUInt16LE(2);
        const resolveReply = kind > 1 ? undefined : this.#pendingReplies.get(number);
        this.#pendingReplies.delete(number);
        // An error for a request without a reply is an event, too: it tells that the window is gone.
        if (resolveReply === undefined) this.#onEvent(message);
        else resolveReply(kind === 1 ? message : undefined);
      }
    } catch {
      socket.destroy();
      const pending = [...this.#pendingReplies.values()];
      this.#pendingReplies.clear();
      for (const resolveReply of pending) resolveReply(undefined);
      this.#onClosed();
    }
  }
}

/** Opens a connection for this work and closes it after that. Undefined if no X server accepts it. */
export async function withXConnection<Value>(
  environment: XEnvironment,
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
  environment: XEnvironment,
): Promise<Pick<XConnection, 'root' | 'ownId'>> {
  socket.write(encodeSetupRequest(await readXCredentials(display, environment)));
  const header = await readBytes(socket, setupHeadLength);
  const greeting = Buffer.concat([header, await readBytes(socket, setupRestLength(header))]);
  const root = findRootWindow(greeting, display.screen);
  if (root === undefined) throw new Error(`the X server of ${display.socket} refuses connections`);
  return { root, ownId: firstResourceId(greeting) };
}

const noAnswer = new Error('the X server does not answer');

/** Reads exactly this many bytes. Rejects if the connection ends first. */
async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0);
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes?.length === count) return bytes;
    if (bytes !== null || socket.closed) throw noAnswer;
    const controller = new AbortController();
    const { signal } = controller;
    await Promise.race([once(socket, 'readable', { signal }), once(socket, 'close', { signal })]);
    // Removes the listener of the event that did not occur, because each message would otherwise leave one.
    controller.abort();
  }
}
