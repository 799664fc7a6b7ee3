import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { WireHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { NoticeSubscribers } from '../../shared/ipc/page.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { SocketEnd, Sockets } from '../../shared/ports/sockets.ts';
import type { WireFrame } from '../../shared/protocol/wire-frame.ts';
import { redactSecrets } from '../../shared/settings/endpoint.ts';

interface Deps {
  readonly clock: Clock;
  readonly post: PostNotice;
}

/** A frame as it passed; it is redacted only when it is posted. */
interface PassedFrame {
  readonly at: number;
  readonly connection: ObservedConnection;
  readonly direction: WireFrame['direction'];
  readonly text: string;
}

const postEveryMs = 100;
/** Limits per post, because a flood of frames must not take memory or time from the sound. */
const maxFrames = 50;
const maxCharacters = 2_000_000;

/** Posts the wire frames of all connections to pages that watch them. */
export class WireWatcher {
  readonly #deps: Deps;
  readonly #pages = new NoticeSubscribers(() => {
    this.#takeFrames();
  });
  #frames: PassedFrame[] = [];
  #characters = 0;
  #missed = 0;
  #connections = 0;
  readonly #postTimer: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#postTimer = new Timer(deps.clock);
  }

  readonly handlers: WireHandlers = {
    watchWire: ({ on }, page) => {
      this.#pages.set(page, on);
      return undefined;
    },
  };

  get isWatched(): boolean {
    return this.#pages.hasPages;
  }

  /** Wraps sockets so that watching pages get their frames. */
  watch(sockets: Sockets, secrets: readonly string[]): Sockets {
    return {
      connect: (mode, listener) => {
        this.#connections += 1;
        const connection = { number: this.#connections, mode, secrets };
        const pass = (direction: WireFrame['direction'], text = ''): void => {
          if (this.isWatched) this.#pass(connection, direction, text);
        };
        return sockets.connect(mode, {
          opened: () => {
            pass('opened');
            listener.opened();
          },
          sending: (text) => {
            pass('out', text);
            listener.sending?.(text);
          },
          received: (text) => {
            pass('in', text);
            listener.received(text);
          },
          ended: (end) => {
            pass('ended', endText(end));
            listener.ended(end);
          },
        });
      },
    };
  }

  #pass(connection: ObservedConnection, direction: WireFrame['direction'], text: string): void {
    const room = this.#frames.length === 0 || this.#characters + text.length <= maxCharacters;
    if (!room || this.#frames.length >= maxFrames) {
      this.#missed += 1;
    } else {
      this.#frames.push({ at: this.#deps.clock.now(), connection, direction, text });
      this.#characters += text.length;
    }
    this.#postTimer.setIfIdle(postEveryMs, () => this.#emit());
  }

  #emit(): void {
    const { passed, missed } = this.#takeFrames();
    if (passed.length + missed > 0)
      this.#deps.post('wire', { frames: passed.map(toWireFrame), missed });
  }

  #takeFrames(): { readonly passed: readonly PassedFrame[]; readonly missed: number } {
    const batch = { passed: this.#frames, missed: this.#missed };
    this.#frames = [];
    this.#characters = 0;
    this.#missed = 0;
    return batch;
  }
}

function toWireFrame({ at, connection, direction, text }: PassedFrame): WireFrame {
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

interface ObservedConnection {
  readonly number: number;
  readonly mode: string;
  /** Values that are redacted in every frame. */
  readonly secrets: readonly string[];
}

/** A run of at least 160 of these characters is base64 sound or a picture. */
const base64Run = /[\w+/=\\-]{160,}/gu;
const maxShown = 8000;

/** A frame for display: secrets redacted, media replaced with their length, and the rest truncated. */
export function redactWireFrame(text: string, secrets: readonly string[]): string {
  // Secrets are redacted first; removing base64 around one would leave parts of it.
  const redacted = secrets.length === 0 ? text : redactSecrets(text, listEncodings(secrets));
  const plain = redacted.replaceAll(base64Run, (run) => `‹${run.length} characters›`);
  if (plain.length <= maxShown) return plain;
  return `${plain.slice(0, maxShown)}… ‹${plain.length - maxShown} more›`;
}

/** A secret in all its forms: plain, escaped for JSON, and encoded for URLs. */
function listEncodings(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]);
}
