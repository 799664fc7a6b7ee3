import { connect, type Socket } from 'node:net';
import { Listeners } from '../../../shared/listeners.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import {
  getSelectionOwner,
  greet,
  greetingHead,
  greetingLength,
  hearOf,
  internAtom,
  localDisplay,
  messageHead,
  permitFor,
  readXMessage,
  rootOf,
  type XDisplay,
  type XMessage,
  xMessageLength,
  type XPermit,
} from './x-protocol.ts';

const nobody = 0;

/**
 * The old kind of tray (XEmbed), which no bus knows of: whoever shows the icons of a screen owns a selection of
 * that screen's. It announces itself to all when it comes, and its window ends with it, so nothing is polled.
 */
export class XTray {
  readonly #changed = new Listeners<boolean>();
  #line: XLine | undefined;
  #selection = nobody;
  #manager = nobody;
  #shown = false;

  readonly shown = (): boolean => this.#shown;
  readonly onShown = (changed: (shown: boolean) => void): (() => void) =>
    this.#changed.add(changed);

  /** Settles once it is known; throws where there is a display of this machine that cannot be asked. */
  async connect(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
    const display = localDisplay(environment);
    if (display === undefined) return;
    const permit = await permitFor(display, environment);
    const line = await XLine.open(
      display,
      permit,
      (message) => {
        this.#hear(message);
      },
      () => {
        this.#setShown(false);
      },
    );
    this.#line = line;
    // Before it is asked, so that who comes in between is heard of.
    line.tell(hearOf(line.root));
    const [selection, manager] = await Promise.all(
      [`_NET_SYSTEM_TRAY_S${display.screen}`, 'MANAGER'].map((name) => line.ask(internAtom(name))),
    );
    this.#selection = selection ?? nobody;
    this.#manager = manager ?? nobody;
    await this.#look(line);
  }

  end(): void {
    this.#line?.end();
  }

  #hear(message: XMessage): void {
    const line = this.#line;
    if (line === undefined || message.kind === 'other' || message.kind === 'reply') return;
    const foreign =
      message.kind === 'announced' &&
      !(message.type === this.#manager && message.selection === this.#selection);
    // An error is what comes of a window that has ended before it was listened to.
    if (!foreign) void this.#look(line);
  }

  async #look(line: XLine): Promise<void> {
    const owner = (await line.ask(getSelectionOwner(this.#selection))) ?? nobody;
    if (owner !== nobody) line.tell(hearOf(owner));
    this.#setShown(owner !== nobody);
  }

  #setShown(shown: boolean): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed.emit(shown);
  }
}

/** It is on this machine: what does not answer at once does not answer. */
const patienceMs = 2000;
/** No answer that is asked for comes near it. */
const longestMessage = 1024 * 1024;

/** A line to an X server, on which a few things are asked and heard. */
class XLine {
  readonly root: number;
  readonly #socket: Socket;
  readonly #waiting: ((value: number | undefined) => void)[] = [];
  readonly #heard: (message: XMessage) => void;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket, root: number, heard: (message: XMessage) => void) {
    this.#socket = socket;
    this.root = root;
    this.#heard = heard;
  }

  /** Rejects where the server does not let us in, or does not answer. `ended` comes once, after all else. */
  static async open(
    display: XDisplay,
    permit: XPermit,
    heard: (message: XMessage) => void,
    ended: () => void,
  ): Promise<XLine> {
    const socket = connect(display.socket);
    // What is wrong with the line ends it.
    socket.on('error', () => undefined);
    socket.write(greet(permit));
    try {
      const [greeting, rest] = await readGreeting(socket);
      const root = rootOf(greeting, display.screen);
      if (root === undefined) throw new Error(`the X server of ${display.socket} lets nobody in`);
      const line = new XLine(socket, root, heard);
      socket.once('close', () => {
        for (const answered of line.#waiting.splice(0)) answered(undefined);
        ended();
      });
      socket.on('data', (bytes: Buffer) => {
        line.#receive(bytes);
      });
      line.#receive(rest);
      // It is no reason for the process to stay.
      socket.unref();
      return line;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  tell(request: Buffer): void {
    this.#socket.write(request);
  }

  /** What the server answers; undefined where it has gone. */
  ask(request: Buffer): Promise<number | undefined> {
    if (this.#socket.destroyed) return Promise.resolve(undefined);
    this.#socket.write(request);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= messageHead) {
      const length = xMessageLength(this.#received);
      if (length > longestMessage) {
        this.end();
        return;
      }
      if (this.#received.length < length) return;
      const message = readXMessage(this.#received.subarray(0, length));
      this.#received = this.#received.subarray(length);
      if (message.kind === 'reply') this.#waiting.shift()?.(message.value);
      else this.#heard(message);
    }
  }
}

/** The answer to the greeting, and what came after it. */
async function readGreeting(socket: Socket): Promise<readonly [Buffer, Buffer]> {
  let received = Buffer.alloc(0);
  const read = new Promise<readonly [Buffer, Buffer]>((resolve, reject) => {
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]);
      if (received.length < greetingHead) return;
      const length = greetingLength(received);
      if (received.length < length) return;
      socket.off('data', take);
      resolve([received.subarray(0, length), received.subarray(length)]);
    };
    socket.on('data', take);
    socket.once('close', () => {
      reject(new Error('the X server does not answer'));
    });
  });
  const greeting = await withTimeout(patienceMs, read);
  if (greeting === timedOut) throw new Error('the X server does not answer');
  return greeting;
}
