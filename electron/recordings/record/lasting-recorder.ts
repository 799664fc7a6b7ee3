import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import { type TapeHeader, writtenCoding } from '../tape/tape.ts';
import type { TalkSide } from './both-sides.ts';
import { charactersOf, HeardCount, StandingState } from './standing-state.ts';
import {
  openTapeRecorder,
  type ResumableRecorder,
  type TapeGap,
  type TapeRecorderDeps,
} from './tape-files-recorder.ts';
import { renumbered, type TapeEntry, type TapeRecorder } from './tape-recorder.ts';

/**
 * A recorder that outlives a full disk and a folder that is taken away: the talk goes on, each trouble is told once, and
 * recording goes on as soon as it can.
 */
export async function openLastingRecorder(
  folder: string,
  header: TapeHeader,
  deps: TapeRecorderDeps,
): Promise<Outcome<TapeRecorder>> {
  const recorder = new LastingRecorder(folder, header, deps);
  const begun = await recorder.begin();
  return begun.ok ? { ok: true, value: recorder } : begun;
}

/** How often it looks whether its folder is there, and whether there is room again. */
const lookMs = 3000;
/** Ten minutes with camera, and some more. */
const roomForTenMinutes = { float32: 200_000_000, pcm16: 150_000_000 };
const cutByUs: SocketEnd = { kind: 'closed', code: 1006, reason: '' };
/** Less is gone before the next look. */
const roomToResume = 2_000_000;

class LastingRecorder implements TapeRecorder {
  readonly #folder: string;
  readonly #header: TapeHeader;
  readonly #deps: TapeRecorderDeps;
  readonly #standing = new StandingState();
  readonly #told = new Set<string>();
  readonly #heard = new HeardCount();
  /** What the server said last is on the tape, or will be. */
  #kept = true;
  #tape: ResumableRecorder | undefined;
  #gap: { readonly since: number; readonly error: AppError } | undefined;
  readonly #missed: MissedEntries;
  /** Connections that are on an earlier tape only: the first one of a tape has number 1. */
  #before = 0;
  #firstError: AppError | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopLooking: () => void = () => undefined;
  #closed = false;

  constructor(folder: string, header: TapeHeader, deps: TapeRecorderDeps) {
    this.#folder = folder;
    this.#header = header;
    this.#deps = deps;
    this.#missed = new MissedEntries(deps.clock);
  }

  async begin(): Promise<Outcome<undefined>> {
    const room = await this.#deps.files.room(this.#folder);
    if (room.ok && room.value < roomForTenMinutes[writtenCoding(this.#header.sound)]) {
      this.#tell(appError('tapeLowSpace', { megabytes: Math.floor(room.value / 1_000_000) }));
    }
    const opened = await this.#open();
    if (!opened.ok) {
      if (opened.error.code !== 'diskFull') return opened;
      this.#beginGap(opened.error, 'tapeFailed');
    }
    this.#lookLater();
    return { ok: true, value: undefined };
  }

  record(entry: TapeEntry): void {
    this.#standing.record(entry);
    const kept = this.#keep(entry);
    if (entry.dir === 'in') this.#kept = kept;
  }

  answered(turn: number, samples: number): void {
    this.#heard.answered(turn, samples, this.#kept);
  }

  /** What is not written is silence there, of the same length. */
  sounded(who: TalkSide, samples: Float32Array): void {
    if (this.#gap === undefined) this.#tape?.sounded(who, samples);
  }

  async close(): Promise<Outcome<undefined>> {
    this.#closed = true;
    this.#stopLooking();
    await this.#looking;
    await this.#look();
    // Of a connection that was cut at the very end nobody has told yet; without its end it would look like a crash.
    for (const connection of this.#standing.open)
      this.record({ dir: 'end', connection, end: cutByUs });
    const closed = await this.#tape?.close();
    if (closed?.ok === false) this.#firstError ??= closed.error;
    const error = this.#firstError;
    return error === undefined ? { ok: true, value: undefined } : { ok: false, error };
  }

  /** Says whether it is written, or will be. */
  #keep(entry: TapeEntry): boolean {
    if (this.#tape === undefined || this.#gap !== undefined) return this.#missed.add(entry);
    this.#writeOn(this.#tape, entry);
    return true;
  }

  /** As this tape counts connections and what was heard. */
  #writeOn(tape: TapeRecorder, entry: TapeEntry): void {
    if (entry.dir === 'event' && entry.event.kind === 'heard') {
      const event = this.#heard.heard(entry.event);
      if (event !== undefined) tape.record({ dir: 'event', event });
    } else tape.record(renumbered(entry, this.#before));
  }

  #open(): Promise<Outcome<ResumableRecorder>> {
    const onError = (error: AppError): void => {
      // That its folder is gone is seen in a moment, and told as what it is.
      if (this.#gap === undefined && this.#tape?.isThere() !== false) this.#beginGap(error);
    };
    return openTapeRecorder(this.#folder, this.#header, {
      ...this.#deps,
      clock: this.#missed.clock,
      onError,
    }).then((opened) => {
      if (opened.ok) this.#tape = opened.value;
      return opened;
    });
  }

  #beginGap(error: AppError, code: 'tapeGap' | 'tapeFailed' = 'tapeGap'): void {
    this.#gap ??= { since: this.#deps.clock.now(), error };
    this.#tell(appError(code, {}, { cause: error }));
  }

  #tell(error: AppError): void {
    if (error.code !== 'tapeLowSpace') this.#firstError ??= error;
    if (this.#told.has(error.code)) return;
    this.#told.add(error.code);
    this.#deps.onError(error);
  }

  #lookLater(): void {
    if (this.#closed) return;
    this.#stopLooking = this.#deps.clock.after(lookMs, () => {
      this.#looking = this.#lookAgain();
    });
  }

  async #lookAgain(): Promise<void> {
    await this.#look();
    this.#lookLater();
  }

  async #look(): Promise<void> {
    if (this.#tape?.isThere() === false) {
      this.#gap ??= { since: this.#deps.clock.now(), error: appError('tapeLost') };
      this.#tell(appError('tapeLost'));
      const gone = this.#tape;
      this.#tape = undefined;
      // Before there is another one: it may take its files away, by their names.
      await gone.close();
    }
    const gap = this.#gap;
    if (gap === undefined) return;
    const room = await this.#deps.files.room(this.#folder);
    if (room.ok && room.value < roomToResume) return;
    if (this.#tape === undefined) await this.#beginAnew();
    else {
      const resumed = await this.#tape.resume();
      if (resumed.ok) this.#catchUp(this.#tape, { since: gap.since, why: gap.error.code });
    }
  }

  /** What is said without sound or pictures was kept meanwhile. */
  #catchUp(tape: ResumableRecorder, gap: TapeGap): void {
    this.#gap = undefined;
    this.#missed.catchUp((entry) => {
      this.#writeOn(tape, entry);
    });
    tape.gap(gap);
  }

  /** A tape that begins in the middle of a talk, with how the connections of now have begun. */
  async #beginAnew(): Promise<void> {
    const opened = await this.#open();
    if (!opened.ok) return;
    const { before, entries } = this.#standing.opening();
    this.#before = before;
    this.#missed.clear();
    this.#heard.beginTape();
    this.#gap = undefined;
    for (const entry of entries) opened.value.record(entry);
  }
}

/** Words and turns; sound and pictures are larger, and not kept for a full disk. */
const maxCharacters = 4000;
const maxEntries = 2000;

/** What could not be written when it happened, to be written at its own time when there is room. */
class MissedEntries {
  readonly #clock: Clock;
  #entries: { readonly at: number; readonly entry: TapeEntry }[] = [];
  #at: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For the recorder: what is caught up on has happened when it did. */
  get clock(): Clock {
    const clock = this.#clock;
    return {
      now: () => this.#at ?? clock.now(),
      after: (milliseconds, run) => clock.after(milliseconds, run),
    };
  }

  /** Says whether there is room for it. */
  add(entry: TapeEntry): boolean {
    if (charactersOf(entry) > maxCharacters || this.#entries.length >= maxEntries) return false;
    this.#entries.push({ at: this.#clock.now(), entry });
    return true;
  }

  catchUp(write: (entry: TapeEntry) => void): void {
    for (const { at, entry } of this.#entries) {
      this.#at = at;
      write(entry);
    }
    this.#at = undefined;
    this.clear();
  }

  clear(): void {
    this.#entries = [];
  }
}
