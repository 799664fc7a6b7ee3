import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Listeners } from '../../../shared/listeners.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import {
  getSelectionOwner,
  encodeSetupRequest,
  setupHeadLength,
  setupRestLength,
  subscribeToWindow,
  internAtom,
  parseLocalDisplay,
  messageHeadLength,
  messageRestLength,
  readXCredentials,
  replyValue,
  findRootWindow,
  type XDisplay,
} from './x-protocol.ts';

const noWindow = 0;

type Environment = Readonly<Record<string, string | undefined>>;

/** The server is local, so a missing answer means that it hangs. */
const patienceMs = 2000;

/** Detects an XEmbed tray, which owns its screen's selection and announces itself, so polling is unnecessary. */
export class XTray {
  readonly #changed = new Listeners<boolean>();
  readonly #waiting: ((value: number) => void)[] = [];
  #socket: Socket | undefined;
  #selection = noWindow;
  #shown = false;

  readonly shown = (): boolean => this.#shown;
  readonly onShown = (changed: (shown: boolean) => void): (() => void) =>
    this.#changed.add(changed);

  /** Settles once the tray is known; throws if the local display does not answer. */
  async connect(environment: Environment): Promise<void> {
    const display = parseLocalDisplay(environment);
    if (display === undefined) return;
    const socket = connect(display.socket);
    this.#socket = socket;
    // An error closes the socket.
    socket.on('error', () => undefined);
    try {
      const root = await withTimeout(patienceMs, this.#open(socket, display, environment));
      if (root === timedOut) throw noAnswer;
      // Subscribes before asking, so a tray that appears in between is noticed.
      socket.write(subscribeToWindow(root));
    } catch (error) {
      socket.destroy();
      throw error;
    }
    // The connection must not keep the process alive.
    socket.unref();
    void this.#listen(socket);
    this.#selection = await this.#ask(socket, internAtom(`_NET_SYSTEM_TRAY_S${display.screen}`));
    await this.#checkOwner(socket);
  }

  end(): void {
    this.#socket?.destroy();
  }

  async #open(socket: Socket, display: XDisplay, environment: Environment): Promise<number> {
    socket.write(encodeSetupRequest(await readXCredentials(display, environment)));
    const head = await take(socket, setupHeadLength);
    const greeting = Buffer.concat([head, await take(socket, setupRestLength(head))]);
    const root = findRootWindow(greeting, display.screen);
    if (root === undefined)
      throw new Error(`the X server at ${display.socket} rejected the connection`);
    return root;
  }

  async #listen(socket: Socket): Promise<void> {
    try {
      for (;;) {
        const head = await take(socket, messageHeadLength);
        const value = replyValue(head);
        await take(socket, messageRestLength(head));
        // A tray appeared or disappeared, or its window ended before the subscription.
        if (value === undefined) void this.#checkOwner(socket);
        else this.#waiting.shift()?.(value);
      }
    } catch {
      socket.destroy();
      for (const answered of this.#waiting.splice(0)) answered(noWindow);
      this.#setShown(false);
    }
  }

  /** Returns the server's answer, or `nobody` after a disconnect. */
  #ask(socket: Socket, request: Buffer): Promise<number> {
    if (socket.destroyed) return Promise.resolve(noWindow);
    socket.write(request);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async #checkOwner(socket: Socket): Promise<void> {
    const owner = await this.#ask(socket, getSelectionOwner(this.#selection));
    if (owner !== noWindow) socket.write(subscribeToWindow(owner));
    this.#setShown(owner !== noWindow);
  }

  #setShown(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed.emit(shown);
  }
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
