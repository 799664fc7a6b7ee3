import { encodeSamples } from '../../../shared/audio/encode-wav.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { TapeHeader } from '../tape/tape.ts';
import type { TalkSide } from './both-sides.ts';
import { charactersOf, StandingState } from './standing-state.ts';
import { openTapeRecorder, type TapeRecorderDeps } from './tape-files-recorder.ts';
import { renumbered, type TapeEntry, type TapeRecorder } from './tape-recorder.ts';

const wantedMs = 120_000;
/** Five minutes in which nobody ever pauses; a minute has some 15 MB. */
const defaultMaxBytes = 64_000_000;
/** Nothing has been heard for so long: what comes now is no part of an answer before. */
const quietMs = 1000;
/** Somebody may be silent for a long time; what is held is cut into parts meanwhile. */
const longQuietMs = 5000;
/** So much is written at once before others have their turn. */
const heldAtOnce = 40;
/** About as much as an event has on a tape. */
const eventBytes = 200;

/** An entry, or sound as it is written: half of what floats take. */
type HeldContent =
  | TapeEntry
  | { readonly dir: 'sound'; readonly who: TalkSide; readonly pcm: Int16Array };

interface HeldEntry {
  readonly at: number;
  readonly bytes: number;
  readonly content: HeldContent;
}

/** From a moment in which no answer was under way. */
interface HeldPart {
  readonly from: number;
  /** How many turns had been heard before it. */
  readonly turns: number;
  readonly held: HeldEntry[];
}

/** The last two minutes of a talk, in memory: nothing is on the disk before somebody asks for it. */
export class RecentTape implements TapeRecorder {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** As it was when the first part begins. */
  readonly #before = new StandingState();
  #parts: HeldPart[];
  #bytes = 0;
  #turn = 0;
  #heardAt = -Infinity;
  /** Where the next part may begin. */
  #place: { readonly index: number; readonly at: number } | undefined;
  #closed = false;

  constructor(clock: Clock, maxBytes = defaultMaxBytes) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#parts = [{ from: clock.now(), turns: 0, held: [] }];
  }

  /** It counts by what was heard, because it begins between two turns. */
  readonly answered = (): void => undefined;

  record(entry: TapeEntry): void {
    if (entry.dir === 'out') this.#lookForPlace();
    if (entry.dir === 'event' && entry.event.kind === 'heard') this.#heard(entry.event.turn);
    this.#hold(entry.dir === 'event' ? eventBytes : charactersOf(entry), entry);
  }

  sounded(who: TalkSide, samples: Float32Array): void {
    const pcm = new Int16Array(encodeSamples(samples, 'pcm16').buffer);
    this.#hold(pcm.byteLength, { dir: 'sound', who, pcm });
  }

  /** How much of the talk is held. */
  get milliseconds(): number {
    const now = this.#clock.now();
    return now - (this.#parts[0]?.from ?? now);
  }

  /** What is held goes: nobody has asked for it. */
  close(): Promise<Outcome<undefined>> {
    this.#closed = true;
    this.#parts = [];
    return Promise.resolve({ ok: true, value: undefined });
  }

  /** Makes a tape of what is held now, in a new or empty folder; says how long it is. */
  async writeTo(
    folder: string,
    header: TapeHeader,
    deps: TapeRecorderDeps,
  ): Promise<Outcome<{ readonly seconds: number }>> {
    const opening = this.#before.opening();
    const [first] = this.#parts;
    const held = this.#parts.flatMap((part) => part.held);
    const until = this.#clock.now();
    let at = first?.from ?? until;
    const seconds = Math.round((until - at) / 1000);
    const clock: Clock = {
      now: () => at,
      after: (milliseconds, run) => deps.clock.after(milliseconds, run),
    };
    const opened = await openTapeRecorder(folder, header, { ...deps, clock });
    if (!opened.ok) return opened;
    const tape = opened.value;
    for (const entry of opening.entries) tape.record(entry);
    for (const [n, one] of held.entries()) {
      at = one.at;
      const { content } = one;
      if (content.dir === 'sound') tape.sounded(content.who, floatsOf(content.pcm));
      else tape.record(renumbered(content, opening.before, first?.turns));
      if (n % heldAtOnce === heldAtOnce - 1)
        await new Promise<void>((resolve) => {
          deps.clock.after(0, resolve);
        });
    }
    at = until;
    const closed = await tape.close();
    return closed.ok ? { ok: true, value: { seconds } } : closed;
  }

  #hold(bytes: number, content: HeldContent): void {
    if (this.#closed) return;
    this.#parts.at(-1)?.held.push({ at: this.#clock.now(), bytes, content });
    this.#bytes += bytes;
    this.#forget();
  }

  /** The next turn: a part can begin where it was quiet before it. One that goes on has only paused. */
  #heard(turn: number): void {
    if (turn > this.#turn) {
      this.#beginPart();
      this.#turn = turn;
    }
    this.#place = undefined;
    this.#heardAt = this.#clock.now();
  }

  #lookForPlace(): void {
    const now = this.#clock.now();
    if (this.#place !== undefined && now - this.#place.at >= longQuietMs) this.#beginPart();
    if (now - this.#heardAt >= quietMs)
      this.#place ??= { index: this.#parts.at(-1)?.held.length ?? 0, at: now };
  }

  #beginPart(): void {
    const part = this.#parts.at(-1);
    const place = this.#place;
    this.#place = undefined;
    if (part === undefined || place === undefined || place.index === 0) return;
    const held = part.held.splice(place.index);
    this.#parts.push({ from: place.at, turns: this.#turn, held });
  }

  /** What is older than is wanted, a part at a time; all of it where a single one has too much. */
  #forget(): void {
    const oldest = this.#clock.now() - wantedMs;
    for (;;) {
      const [first, second] = this.#parts;
      const old = second !== undefined && second.from <= oldest;
      if (first === undefined || !(old || this.#bytes > this.#maxBytes)) return;
      for (const { bytes, content } of first.held) {
        if (content.dir !== 'sound') this.#before.record(content);
        this.#bytes -= bytes;
      }
      this.#parts.shift();
      if (second !== undefined) continue;
      this.#parts = [{ from: this.#clock.now(), turns: this.#turn, held: [] }];
      this.#place = undefined;
    }
  }
}

function floatsOf(pcm: Int16Array): Float32Array {
  const floats = new Float32Array(pcm.length);
  for (let n = 0; n < pcm.length; n += 1) floats[n] = (pcm[n] ?? 0) / 32_768;
  return floats;
}
