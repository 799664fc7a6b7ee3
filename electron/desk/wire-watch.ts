import type { WireFrame } from '../../shared/wire/wire-frame.ts';
import type { Clock } from '../ports/clock.ts';
import type { SocketEnd, Sockets } from '../ports/sockets.ts';
import { shownFrame } from '../recording/shown-frame.ts';
import { watchSockets } from '../recording/watch-sockets.ts';
import type { WatchedConnection, WireEar } from '../recording/watch-sockets.ts';
import type { WireHandlers } from './desk-handlers.ts';
import type { Post } from './talk-news.ts';
import { WatchingPages } from './watching-pages.ts';

interface Needs {
  readonly clock: Clock;
  readonly post: Post;
}

/** Not yet looked into: only references to what passed anyway. */
interface Passed {
  readonly at: number;
  readonly connection: WatchedConnection;
  readonly direction: WireFrame['direction'];
  readonly text: string;
}

const tellEveryMs = 100;
/** A garrulous server must take neither the memory nor the time of the sound. */
const mostFrames = 50;
const mostCharacters = 2_000_000;

/** The inspector's ear: what passes is put aside, and looked into later and all at once. */
export class WireWatch {
  readonly #needs: Needs;
  readonly #pages = new WatchingPages(() => {
    this.#passed = [];
    this.#characters = 0;
    this.#missed = 0;
  });
  #passed: Passed[] = [];
  #characters = 0;
  #missed = 0;
  #connections = 0;
  #waiting = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  readonly handlers: WireHandlers = {
    watchWire: ({ on }, page) => {
      this.#pages.set(page, on);
      return undefined;
    },
  };

  watch(sockets: Sockets, secrets: readonly string[]): Sockets {
    return watchSockets(sockets, this.#ear, secrets, () => (this.#connections += 1));
  }

  readonly #ear: WireEar = {
    listening: () => this.#pages.any,
    opened: (connection) => {
      this.#pass(connection, 'opened', '');
    },
    sent: (connection, text) => {
      this.#pass(connection, 'out', text);
    },
    received: (connection, text = '') => {
      this.#pass(connection, 'in', text);
    },
    ended: (connection, end) => {
      this.#pass(connection, 'ended', endWords(end));
    },
  };

  #pass(connection: WatchedConnection, direction: WireFrame['direction'], text: string): void {
    const room = this.#passed.length === 0 || this.#characters + text.length <= mostCharacters;
    if (!room || this.#passed.length >= mostFrames) {
      this.#missed += 1;
    } else {
      this.#passed.push({ at: this.#needs.clock.now(), connection, direction, text });
      this.#characters += text.length;
    }
    if (this.#waiting) return;
    this.#waiting = true;
    this.#needs.clock.after(tellEveryMs, () => {
      this.#tell();
    });
  }

  #tell(): void {
    this.#waiting = false;
    const passed = this.#passed;
    const missed = this.#missed;
    this.#passed = [];
    this.#characters = 0;
    this.#missed = 0;
    if (passed.length + missed > 0) this.#needs.post('wire', { frames: passed.map(show), missed });
  }
}

function show({ at, connection, direction, text }: Passed): WireFrame {
  const { number, mode, secrets } = connection;
  const length = direction === 'ended' ? 0 : text.length;
  return { at, connection: number, mode, direction, length, text: shownFrame(text, secrets) };
}

function endWords(end: SocketEnd): string {
  switch (end.kind) {
    case 'refused':
      return `${end.status} ${end.body}`.trim();
    case 'unreachable':
      return end.problem;
    case 'closed':
      return `${end.code} ${end.reason}`.trim();
  }
}
