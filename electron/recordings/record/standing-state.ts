import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
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

/** What is true until another one of its kind comes: a tape that begins in the middle of a talk begins with the latest of each. */
export const standingEvents: ReadonlySet<string> = new Set([
  'began',
  'controls',
  'devices',
  'floor',
] satisfies readonly TapeEvent['kind'][]);

/** One frame, as it went over a connection. */
interface HandshakeFrame {
  readonly dir: 'out' | 'in';
  readonly text: string;
}

interface OpenConnection {
  readonly connection: number;
  readonly frames: readonly HandshakeFrame[];
}

const maxFrames = 100;
const maxCharacters = 4_000_000;
/** An append of either dialect says its type first, as all that we send. */
const append = /^\{"type":"input\w*\.append"/u;

/**
 * How each connection that is open now began, up to the first sound that was sent on it: without that a tape which begins in
 * the middle of a talk could not be played.
 */
class Handshakes {
  readonly #open = new Map<number, readonly HandshakeFrame[]>();
  readonly #settled = new Set<number>();

  opened(connection: number): void {
    this.#open.set(connection, []);
  }

  ended(connection: number): void {
    this.#open.delete(connection);
    this.#settled.delete(connection);
  }

  frame(connection: number, dir: 'out' | 'in', text: string): void {
    const frames = this.#open.get(connection);
    if (frames === undefined || this.#settled.has(connection)) return;
    const characters = frames.reduce((sum, frame) => sum + frame.text.length, text.length);
    const full = frames.length >= maxFrames || characters > maxCharacters;
    if (full || (dir === 'out' && append.test(text))) this.#settled.add(connection);
    else this.#open.set(connection, [...frames, { dir, text }]);
  }

  open(): readonly OpenConnection[] {
    return [...this.#open].map(([connection, frames]) => ({ connection, frames }));
  }
}

type Heard = Extract<TapeEvent, { readonly kind: 'heard' }>;

interface AnsweredTurn {
  /** As a replay of the tape counts it; nothing where the tape has nothing of it. */
  number: number | undefined;
  /** Samples of it that have come. */
  samples: number;
  /** Those among them that the tape has not, in order. */
  readonly missing: { readonly from: number; readonly to: number }[];
}

/**
 * Counts what was heard as a tape has it that does not have all of a talk: a replay counts turns from the first that is on
 * the tape, and of each turn the samples that are.
 */
export class HeardCount {
  readonly #turns = new Map<number, AnsweredTurn>();
  #next = 1;
  #lacking = false;

  /** Something of this turn came, with so much sound; `kept` where it is on the tape. */
  answered(turn: number, samples: number, kept: boolean): void {
    const known = this.#turns.get(turn) ?? { number: undefined, samples: 0, missing: [] };
    this.#turns.set(turn, known);
    const from = known.samples;
    known.samples += samples;
    if (kept) {
      known.number ??= this.#next;
      this.#next = Math.max(this.#next, known.number + 1);
      return;
    }
    this.#lacking = true;
    known.missing.push({ from, to: known.samples });
  }

  /** What follows is on another tape, that has nothing of what was before. */
  beginTape(): void {
    this.#lacking = true;
    this.#next = 1;
    for (const turn of this.#turns.values()) {
      turn.number = undefined;
      turn.missing.splice(0, turn.missing.length, { from: 0, to: turn.samples });
    }
  }

  /** The same on the tape; nothing where what was heard is not on it. */
  heard(event: Heard): Heard | undefined {
    if (!this.#lacking) return event;
    const turn = this.#turns.get(event.turn);
    if (turn?.number === undefined) return undefined;
    let { samples } = event;
    for (const { from, to } of turn.missing)
      samples -= Math.max(0, Math.min(to, event.samples) - from);
    return samples > 0 ? { kind: 'heard', turn: turn.number, samples } : undefined;
  }
}
