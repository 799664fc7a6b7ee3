import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { renumberEntry, type TapeEntry } from './tape-recorder.ts';

/** The first lines of a tape that begins in the middle of a talk. */
export interface TapePreamble {
  /** Number of connections before the first one on the tape. */
  readonly before: number;
  readonly entries: readonly TapeEntry[];
}

/**
 * Current state of a talk: the latest of each kind of `stateEvents`, and the handshakes of open connections, before the
 * first append. A tape that begins in the middle of a talk needs these to be playable.
 */
export class TalkSnapshot {
  readonly #open = new Map<number, readonly TapeEntry[]>();
  readonly #settled = new Set<number>();
  readonly #events = new Map<string, TapeEntry>();
  #connections = 0;

  get openConnections(): readonly number[] {
    return [...this.#open.keys()];
  }

  record(entry: TapeEntry): void {
    switch (entry.dir) {
      case 'event':
        if (stateEvents.has(entry.event.kind)) this.#events.set(entry.event.kind, entry);
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
        if (entry.text !== undefined) this.#addFrame(entry, entry.text);
    }
  }

  preamble(): TapePreamble {
    const before = Math.min(
      this.#connections,
      ...this.openConnections.map((connection) => connection - 1),
    );
    const entries = [...this.#events.values(), ...[...this.#open.values()].flat()];
    return { before, entries: entries.map((entry) => renumberEntry(entry, before)) };
  }

  #addFrame(entry: Extract<TapeEntry, { readonly dir: 'in' | 'out' }>, text: string): void {
    const { connection, dir } = entry;
    const entries = this.#open.get(connection);
    if (entries === undefined || this.#settled.has(connection)) return;
    const characters = entries.reduce((sum, one) => sum + countCharacters(one), text.length);
    const isFull = entries.length > maxFrames || characters > maxCharacters;
    if (isFull || (dir === 'out' && appendPattern.test(text))) this.#settled.add(connection);
    else this.#open.set(connection, [...entries, entry]);
  }
}

export function countCharacters(entry: TapeEntry): number {
  return entry.dir === 'in' || entry.dir === 'out' ? (entry.text?.length ?? 0) : 0;
}

/** Events that stay true until the next one of their kind. */
export const stateEvents: ReadonlySet<string> = new Set([
  'began',
  'controls',
  'devices',
  'computerSound',
  'floor',
] satisfies readonly TapeEvent['kind'][]);

const maxFrames = 100;
const maxCharacters = 4_000_000;
/** An append; every client event starts with its type. */
const appendPattern = /^\{"type":"input\w*\.append"/u;

type Heard = Extract<TapeEvent, { readonly kind: 'heard' }>;

interface AnsweredTurn {
  /** The turn's number in a replay of this tape; undefined if the tape has nothing of the turn. */
  number: number | undefined;
  samples: number;
  /** Ranges of samples that the tape lacks, in order. */
  readonly missing: { readonly from: number; readonly to: number }[];
}

/**
 * Translates `heard` events for a tape that lacks part of the talk. A replay counts turns and
 * samples from the first ones on the tape.
 */
export class HeardCounter {
  readonly #turns = new Map<number, AnsweredTurn>();
  #nextNumber = 1;
  #isPartial = false;

  /** Counts received samples; `isKept` says whether they are on the tape. */
  countAnswer(turn: number, samples: number, isKept: boolean): void {
    const known = this.#turns.get(turn) ?? { number: undefined, samples: 0, missing: [] };
    this.#turns.set(turn, known);
    const from = known.samples;
    known.samples += samples;
    if (isKept) {
      known.number ??= this.#nextNumber;
      this.#nextNumber = Math.max(this.#nextNumber, known.number + 1);
      return;
    }
    this.#isPartial = true;
    known.missing.push({ from, to: known.samples });
  }

  beginTape(): void {
    this.#isPartial = true;
    this.#nextNumber = 1;
    for (const turn of this.#turns.values()) {
      turn.number = undefined;
      turn.missing.splice(0, turn.missing.length, { from: 0, to: turn.samples });
    }
  }

  /** The event in the tape's counts; undefined if the tape lacks what was heard. */
  translate(event: Heard): Heard | undefined {
    if (!this.#isPartial) return event;
    const turn = this.#turns.get(event.turn);
    if (turn?.number === undefined) return undefined;
    let { samples } = event;
    for (const { from, to } of turn.missing)
      samples -= Math.max(0, Math.min(to, event.samples) - from);
    return samples > 0 ? { kind: 'heard', turn: turn.number, samples } : undefined;
  }
}
