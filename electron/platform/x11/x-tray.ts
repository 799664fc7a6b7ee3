import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Listeners } from '../../../shared/listeners.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import {
  getSelectionOwner,
  greet,
  greetingHead,
  greetingRest,
  hearOf,
  internAtom,
  localDisplay,
  messageHead,
  messageRest,
  permitFor,
  replyValue,
  rootOf,
  type XDisplay,
} from './x-protocol.ts';

const nobody = 0;

type Environment = Readonly<Record<string, string | undefined>>;

/** It is on this machine: what does not answer at once does not answer. */
const patienceMs = 2000;

/**
 * The old kind of tray (XEmbed), which no bus knows of: whoever shows the icons of a screen owns a selection of
 * that screen's. It announces itself to all when it comes, and its window ends with it, so nothing is polled.
 */
export class XTray {
  readonly #changed = new Listeners<boolean>();
  readonly #waiting: ((value: number) => void)[] = [];
  #socket: Socket | undefined;
  #selection = nobody;
  #shown = false;

  readonly shown = (): boolean => this.#shown;
  readonly onShown = (changed: (shown: boolean) => void): (() => void) =>
    this.#changed.add(changed);

  /** Settles once it is known; throws where there is a display of this machine that cannot be asked. */
  async connect(environment: Environment): Promise<void> {
    const display = localDisplay(environment);
    if (display === undefined) return;
    const socket = connect(display.socket);
    this.#socket = socket;
    // What is wrong with the line ends it.
    socket.on('error', () => undefined);
    try {
      const root = await withTimeout(patienceMs, this.#open(socket, display, environment));
      if (root === timedOut) throw silent;
      // Before it is asked, so that who comes in between is heard of.
      socket.write(hearOf(root));
    } catch (error) {
      socket.destroy();
      throw error;
    }
    // It is no reason for the process to stay.
    socket.unref();
    void this.#listen(socket);
    this.#selection = await this.#ask(socket, internAtom(`_NET_SYSTEM_TRAY_S${display.screen}`));
    await this.#look(socket);
  }

  end(): void {
    this.#socket?.destroy();
  }

  /** The root window of the screen. */
  async #open(socket: Socket, display: XDisplay, environment: Environment): Promise<number> {
    socket.write(greet(await permitFor(display, environment)));
    const head = await take(socket, greetingHead);
    const greeting = Buffer.concat([head, await take(socket, greetingRest(head))]);
    const root = rootOf(greeting, display.screen);
    if (root === undefined) throw new Error(`the X server of ${display.socket} lets nobody in`);
    return root;
  }

  /** Until the line ends, by us or by the server. */
  async #listen(socket: Socket): Promise<void> {
    try {
      for (;;) {
        const head = await take(socket, messageHead);
        const value = replyValue(head);
        await take(socket, messageRest(head));
        // An event of a tray that came or goes, or an error of a window that ended before it was listened to.
        if (value === undefined) void this.#look(socket);
        else this.#waiting.shift()?.(value);
      }
    } catch {
      socket.destroy();
      for (const answered of this.#waiting.splice(0)) answered(nobody);
      this.#setShown(false);
    }
  }

  /** What the server answers; nobody where it has gone. */
  #ask(socket: Socket, request: Buffer): Promise<number> {
    if (socket.destroyed) return Promise.resolve(nobody);
    socket.write(request);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async #look(socket: Socket): Promise<void> {
    const owner = await this.#ask(socket, getSelectionOwner(this.#selection));
    if (owner !== nobody) socket.write(hearOf(owner));
    this.#setShown(owner !== nobody);
  }

  #setShown(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed.emit(shown);
  }
}

const silent = new Error('the X server does not answer');

/** So many bytes of what comes; rejects where the line ends before. */
async function take(socket: Socket, count: number): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0);
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes?.length === count) return bytes;
    if (bytes !== null || socket.closed) throw silent;
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([once(socket, 'readable', { signal }), once(socket, 'close', { signal })]);
    // Takes off the listener of the event that did not come: there is one a message.
    waiting.abort();
  }
}
