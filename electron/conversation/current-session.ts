import type { SessionEvent } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';
import type { ConversationDeps, ConversationOptions } from './conversation.ts';

/**
 * The session there is at the moment. Turns are counted on from one session to the next, so that a
 * turn's number means one turn in the whole conversation; the events of a session that was
 * given up are dropped.
 */
export class CurrentSession {
  readonly #options: ConversationOptions;
  readonly #open: ConversationDeps['openSession'];
  readonly #emit: (event: SessionEvent) => void;
  #session: Session | undefined;
  #count = 0;
  #lastTurn = 0;
  #maxSlices: number | undefined;
  #paused = false;

  constructor(
    options: ConversationOptions,
    open: ConversationDeps['openSession'],
    emit: (event: SessionEvent) => void,
  ) {
    this.#options = options;
    this.#open = open;
    this.#emit = emit;
    this.#maxSlices = options.settings.maxSlices;
  }

  open(instructions: string | undefined): void {
    this.#count += 1;
    const count = this.#count;
    const before = this.#lastTurn;
    const settings = { ...this.#options.settings, instructions, maxSlices: this.#maxSlices };
    const { mode, dialect, chunkMs, yielding } = this.#options;
    const session = this.#open({ mode, settings, dialect, chunkMs, yielding }, (event) => {
      if (count === this.#count) this.#emit(this.#counted(event, before));
    });
    if (count !== this.#count) return;
    this.#session = session;
    if (this.#paused) session.pause();
  }

  /** Gives the session up without waiting for anything; whatever it still emits is dropped. */
  drop(): void {
    this.#count += 1;
    this.#session?.end();
    this.#session = undefined;
  }

  pushAudio(block: Float32Array): void {
    this.#session?.pushAudio(block);
  }

  pushFrame(frame: Uint8Array | undefined): void {
    this.#session?.pushFrame(frame);
  }

  setMaxSlices(slices: number): void {
    this.#maxSlices = slices;
    this.#session?.setMaxSlices(slices);
  }

  interrupt(): void {
    this.#session?.interrupt();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    if (paused) this.#session?.pause();
    else this.#session?.resume();
  }

  end(): void {
    this.#session?.end();
  }

  #counted(event: SessionEvent, before: number): SessionEvent {
    if (event.event !== 'text' && event.event !== 'audio' && event.event !== 'turnEnded')
      return event;
    const turn = before + event.turn;
    this.#lastTurn = Math.max(this.#lastTurn, turn);
    return { ...event, turn };
  }
}
