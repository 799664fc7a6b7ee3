import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { renumbered, type TapeEntry } from './tape-recorder.ts';

/** How a tape begins that begins in the middle of a talk. */
export interface TapeOpening {
  /** Connections that are not on it: the first one of a tape has number 1. */
  readonly before: number;
  /** Already numbered as the tape does. */
  readonly entries: readonly TapeEntry[];
}

/**
 * How a talk stands: the latest of what was said of it, and how each connection that is open now began, up to the first sound
 * that was sent on it: without that a tape which begins in the middle of a talk could not be played.
 */
export class StandingState {
  readonly #open = new Map<number, readonly TapeEntry[]>();
  readonly #settled = new Set<number>();
  readonly #events = new Map<string, TapeEntry>();
  #connections = 0;

  /** The connections that are open. */
  get open(): readonly number[] {
    return [...this.#open.keys()];
  }

  record(entry: TapeEntry): void {
    switch (entry.dir) {
      case 'event':
        if (standingEvents.has(entry.event.kind)) this.#events.set(entry.event.kind, entry);
        break;
      case 'open':
        this.#connections = Math.max(this.#connections, entry.connection);
        this.#open.set(entry.connection, [entry]);
        break;
      case 'end':
        this.#connections = Math.max(this.#connections, entry.connection);
        this.#open.delete(entry.connection);
        this.#settled.delete(entry.connection);
        break;
      case 'in':
      case 'out':
        if (entry.text !== undefined) this.#frame(entry, entry.text);
    }
  }

  /** As it is now, whatever comes. */
  opening(): TapeOpening {
    const before = Math.min(this.#connections, ...this.open.map((connection) => connection - 1));
    const entries = [...this.#events.values(), ...[...this.#open.values()].flat()];
    return { before, entries: entries.map((entry) => renumbered(entry, before)) };
  }

  #frame(entry: Extract<TapeEntry, { readonly dir: 'in' | 'out' }>, text: string): void {
    const { connection, dir } = entry;
    const entries = this.#open.get(connection);
    if (entries === undefined || this.#settled.has(connection)) return;
    const characters = entries.reduce((sum, one) => sum + charactersOf(one), text.length);
    const full = entries.length > maxFrames || characters > maxCharacters;
    if (full || (dir === 'out' && append.test(text))) this.#settled.add(connection);
    else this.#open.set(connection, [...entries, entry]);
  }
}

/** Of the text of a frame. */
export function charactersOf(entry: TapeEntry): number {
  return entry.dir === 'in' || entry.dir === 'out' ? (entry.text?.length ?? 0) : 0;
}

/** What is true until another one of its kind comes: a tape that begins in the middle of a talk begins with the latest of each. */
export const standingEvents: ReadonlySet<string> = new Set([
  'began',
  'controls',
  'devices',
  'floor',
] satisfies readonly TapeEvent['kind'][]);

const maxFrames = 100;
const maxCharacters = 4_000_000;
/** An append of either dialect says its type first, as all that we send. */
const append = /^\{"type":"input\w*\.append"/u;

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
