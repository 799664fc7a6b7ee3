import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { WireHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { WatchingPages } from '../../shared/ipc/page.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SocketEnd, Sockets } from '../../shared/ports/sockets.ts';
import type { WireFrame } from '../../shared/protocol/wire-frame.ts';
import {
  type ObservedConnection,
  observeSockets,
  redactWireFrame,
  type WireObserver,
} from './observe-sockets.ts';

interface Deps {
  readonly clock: Clock;
  readonly post: PostNotice;
}

/** Not yet looked into: only references to what passed anyway. */
interface Passed {
  readonly at: number;
  readonly connection: ObservedConnection;
  readonly direction: WireFrame['direction'];
  readonly text: string;
}

const postEveryMs = 100;
/** A garrulous server must take neither the memory nor the time of the sound. */
const maxFrames = 50;
const maxCharacters = 2_000_000;

/** What the inspector is shown of the wire: frames are collected as they pass, and posted together. */
export class WireWatcher {
  readonly #deps: Deps;
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

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly handlers: WireHandlers = {
    watchWire: ({ on }, page) => {
      this.#pages.set(page, on);
      return undefined;
    },
  };

  get watched(): boolean {
    return this.#pages.any;
  }

  watch(sockets: Sockets, secrets: readonly string[]): Sockets {
    return observeSockets(sockets, this.#observer, secrets, () => (this.#connections += 1));
  }

  readonly #observer: WireObserver = {
    enabled: () => this.#pages.any,
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
      this.#pass(connection, 'ended', endText(end));
    },
  };

  #pass(connection: ObservedConnection, direction: WireFrame['direction'], text: string): void {
    const room = this.#passed.length === 0 || this.#characters + text.length <= maxCharacters;
    if (!room || this.#passed.length >= maxFrames) {
      this.#missed += 1;
    } else {
      this.#passed.push({ at: this.#deps.clock.now(), connection, direction, text });
      this.#characters += text.length;
    }
    if (this.#waiting) return;
    this.#waiting = true;
    this.#deps.clock.after(postEveryMs, () => {
      this.#emit();
    });
  }

  #emit(): void {
    this.#waiting = false;
    const passed = this.#passed;
    const missed = this.#missed;
    this.#passed = [];
    this.#characters = 0;
    this.#missed = 0;
    if (passed.length + missed > 0) this.#deps.post('wire', { frames: passed.map(show), missed });
  }
}

function show({ at, connection, direction, text }: Passed): WireFrame {
  const { number, mode, secrets } = connection;
  const length = direction === 'ended' ? 0 : text.length;
  return { at, connection: number, mode, direction, length, text: redactWireFrame(text, secrets) };
}

function endText(end: SocketEnd): string {
  switch (end.kind) {
    case 'refused':
      return `${end.status} ${end.body}`.trim();
    case 'unreachable':
      return describeAppError(end.error);
    case 'closed':
      return `${end.code} ${end.reason}`.trim();
  }
}
