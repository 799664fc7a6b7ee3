import type { TapeEvent } from '../../../shared/replay/tape-event.ts';
import { Handshakes } from './handshakes.ts';
import { standingEvents } from './standing-events.ts';
import type { TapeRecorder } from './tape-recorder.ts';

/** How a tape begins that begins in the middle of a talk. */
export interface TapeOpening {
  /** Connections that are not on it: the first one of a tape has number 1. */
  readonly before: number;
  readonly writeOn: (tape: Pick<TapeRecorder, 'opened' | 'sent' | 'received' | 'happened'>) => void;
}

/** How a talk stands: the latest of what was said of it, and how each connection began that is open. */
export class StandingState {
  readonly #handshakes = new Handshakes();
  readonly #events = new Map<string, TapeEvent>();
  #connections = 0;

  /** The connections that are open. */
  get open(): readonly number[] {
    return this.#handshakes.open().map(({ connection }) => connection);
  }

  opened(connection: number): void {
    this.#connections = Math.max(this.#connections, connection);
    this.#handshakes.opened(connection);
  }

  frame(connection: number, dir: 'out' | 'in', text: string): void {
    this.#handshakes.frame(connection, dir, text);
  }

  ended(connection: number): void {
    this.#connections = Math.max(this.#connections, connection);
    this.#handshakes.ended(connection);
  }

  happened(event: TapeEvent): void {
    if (standingEvents.has(event.kind)) this.#events.set(event.kind, event);
  }

  /** As it is now, whatever comes. */
  opening(): TapeOpening {
    const open = this.#handshakes.open();
    const events = [...this.#events.values()];
    const before = Math.min(this.#connections, ...open.map(({ connection }) => connection - 1));
    const writeOn: TapeOpening['writeOn'] = (tape) => {
      for (const event of events) tape.happened(event);
      for (const { connection, frames } of open) {
        tape.opened(connection - before);
        for (const { dir, text } of frames) {
          if (dir === 'out') tape.sent(connection - before, text);
          else tape.received(connection - before, text);
        }
      }
    };
    return { before, writeOn };
  }
}
