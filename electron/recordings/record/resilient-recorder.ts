import { appError, type AppError, done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import { type TapeHeader, losslessCoding } from '../tape/tape.ts';
import type { TalkSide } from './stereo-recorder.ts';
import { countCharacters, HeardCounter, TalkSnapshot } from './talk-snapshot.ts';
import {
  openTapeRecorder,
  type ResumableRecorder,
  type TapeGap,
  type TapeRecorderDeps,
} from './tape-files-recorder.ts';
import { renumberEntry, type TapeEntry, type TapeRecorder } from './tape-recorder.ts';

/**
 * Opens a recorder that survives a full disk and a deleted folder. The talk continues, each error is
 * reported once, and recording resumes as soon as it can.
 */
export async function openResilientRecorder(
  folder: string,
  header: TapeHeader,
  deps: TapeRecorderDeps,
): Promise<Outcome<TapeRecorder>> {
  const recorder = new ResilientRecorder(folder, header, deps);
  const begun = await recorder.begin();
  return begun.ok ? { ok: true, value: recorder } : begun;
}

const checkEveryMs = 3000;
/** In bytes, with camera and a margin. */
const spaceForTenMinutes = { float32: 200_000_000, pcm16: 150_000_000 };
const closedByRecorder: SocketEnd = { kind: 'closed', code: 1006, reason: '' };
/** In bytes; recording writes less between two checks. */
const spaceToResume = 2_000_000;

class ResilientRecorder implements TapeRecorder {
  readonly #folder: string;
  readonly #header: TapeHeader;
  readonly #deps: TapeRecorderDeps;
  readonly #snapshot = new TalkSnapshot();
  readonly #reported = new Set<string>();
  readonly #heard = new HeardCounter();
  /** Whether the server's latest message is, or will be, on the tape. */
  #isLatestRecorded = true;
  #tape: ResumableRecorder | undefined;
  #gap: { readonly since: number; readonly error: AppError } | undefined;
  readonly #missed: MissedEntries;
  /** Connections on earlier tapes only; each tape numbers its connections from 1. */
  #earlierConnections = 0;
  #firstError: AppError | undefined;
  #checking: Promise<void> = Promise.resolve();
  #stopChecking: () => void = () => undefined;
  #closed = false;

  constructor(folder: string, header: TapeHeader, deps: TapeRecorderDeps) {
    this.#folder = folder;
    this.#header = header;
    this.#deps = deps;
    this.#missed = new MissedEntries(deps.clock);
  }

  async begin(): Promise<Outcome<undefined>> {
    const space = await this.#deps.files.freeSpace(this.#folder);
    if (space.ok && space.value < spaceForTenMinutes[losslessCoding(this.#header.sound)])
      this.#report(appError('tapeLowSpace', { megabytes: Math.floor(space.value / 1_000_000) }));
    const opened = await this.#open();
    if (!opened.ok) {
      if (opened.error.code !== 'diskFull') return opened;
      this.#beginGap(opened.error, 'tapeFailed');
    }
    this.#scheduleCheck();
    return done;
  }

  record(entry: TapeEntry): void {
    this.#snapshot.record(entry);
    const recorded = this.#writeOrDefer(entry);
    if (entry.dir === 'in') this.#isLatestRecorded = recorded;
  }

  countAnswer(turn: number, samples: number): void {
    this.#heard.countAnswer(turn, samples, this.#isLatestRecorded);
  }

  /** Leaves out sound during a gap. The stereo file has silence there. */
  addSound(who: TalkSide, samples: Float32Array): void {
    if (this.#gap === undefined) this.#tape?.addSound(who, samples);
  }

  async close(): Promise<Outcome<undefined>> {
    this.#closed = true;
    this.#stopChecking();
    await this.#checking;
    await this.#check();
    // Connections that are still open get an `end` line; without one the tape would look like that of a crash.
    for (const connection of this.#snapshot.openConnections)
      this.record({ dir: 'end', connection, end: closedByRecorder });
    const closed = await this.#tape?.close();
    if (closed?.ok === false) this.#firstError ??= closed.error;
    const error = this.#firstError;
    return error === undefined ? done : { ok: false, error };
  }

  /** Returns whether the entry is, or will be, written. */
  #writeOrDefer(entry: TapeEntry): boolean {
    if (this.#tape === undefined || this.#gap !== undefined) return this.#missed.add(entry);
    this.#writeOn(this.#tape, entry);
    return true;
  }

  /** Renumbers connections, turns and samples for this tape. */
  #writeOn(tape: TapeRecorder, entry: TapeEntry): void {
    if (entry.dir === 'event' && entry.event.kind === 'heard') {
      const event = this.#heard.translate(entry.event);
      if (event !== undefined) tape.record({ dir: 'event', event });
    } else tape.record(renumberEntry(entry, this.#earlierConnections));
  }

  #open(): Promise<Outcome<ResumableRecorder>> {
    const onError = (error: AppError): void => {
      // The next check notices a deleted folder and reports that instead.
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
    this.#report(appError(code, {}, { cause: error }));
  }

  #report(error: AppError): void {
    if (error.code !== 'tapeLowSpace') this.#firstError ??= error;
    if (this.#reported.has(error.code)) return;
    this.#reported.add(error.code);
    this.#deps.onError(error);
  }

  #scheduleCheck(): void {
    if (this.#closed) return;
    this.#stopChecking = this.#deps.clock.after(checkEveryMs, () => {
      this.#checking = this.#check().then(() => this.#scheduleCheck());
    });
  }

  async #check(): Promise<void> {
    if (this.#tape?.isThere() === false) {
      this.#gap ??= { since: this.#deps.clock.now(), error: appError('tapeLost') };
      this.#report(appError('tapeLost'));
      const lost = this.#tape;
      this.#tape = undefined;
      // Closes the old tape first: it may delete its files by name.
      await lost.close();
    }
    const gap = this.#gap;
    // Between sessions and after the talk a new tape would stay empty, and bring back the folder that the user deleted.
    const isIdle = this.#tape === undefined && this.#snapshot.openConnections.length === 0;
    if (gap === undefined || isIdle) return;
    const space = await this.#deps.files.freeSpace(this.#folder);
    if (space.ok && space.value < spaceToResume) return;
    if (this.#tape === undefined) await this.#restart();
    else {
      const resumed = await this.#tape.resume();
      if (resumed.ok) this.#catchUp(this.#tape, { since: gap.since, why: gap.error.code });
    }
  }

  /** Writes the entries without media that were buffered during the gap. */
  #catchUp(tape: ResumableRecorder, gap: TapeGap): void {
    this.#gap = undefined;
    this.#missed.catchUp((entry) => this.#writeOn(tape, entry));
    tape.gap(gap);
  }

  /** Starts a tape in the middle of a talk, with the handshakes of the open connections. */
  async #restart(): Promise<void> {
    const opened = await this.#open();
    if (!opened.ok) return;
    const { before, entries } = this.#snapshot.preamble();
    this.#earlierConnections = before;
    this.#missed.clear();
    this.#heard.beginTape();
    this.#gap = undefined;
    for (const entry of entries) opened.value.record(entry);
  }
}

/** Longer entries contain media, which are too large to hold until the disk has space. */
const maxCharacters = 4000;
const maxEntries = 2000;

/** Entries that could not be written, to be written later with their original times. */
class MissedEntries {
  readonly #clock: Clock;
  #entries: { readonly at: number; readonly entry: TapeEntry }[] = [];
  #at: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Gives the recorder the original time of each entry. */
  get clock(): Clock {
    const clock = this.#clock;
    return {
      now: () => this.#at ?? clock.now(),
      after: (milliseconds, run) => clock.after(milliseconds, run),
    };
  }

  add(entry: TapeEntry): boolean {
    if (countCharacters(entry) > maxCharacters || this.#entries.length >= maxEntries) return false;
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
