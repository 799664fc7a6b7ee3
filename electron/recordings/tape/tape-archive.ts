import { type AppError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { TapedTalkFacts } from '../history/taped-talk-source.ts';
import type { TapeUpsampler } from '../record/both-sides.ts';
import { openLastingRecorder } from '../record/lasting-recorder.ts';
import { RecentTape } from '../record/recent-tape.ts';
import type { HeldTape } from '../record/recent-tapes.ts';
import type { TapeRecorder } from '../record/tape-recorder.ts';
import { inspectTape } from './inspect-tape.ts';
import { type LoadedTape, loadTapeAt, readTapeHeader, type UnpackTape } from './open-tape.ts';
import type { TapeHeader } from './tape.ts';

interface Deps {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly unpack: UnpackTape;
  /** Brings the person's sound to the rate of a tape's two voices. */
  readonly upsampler: () => TapeUpsampler;
  /** The calendar's milliseconds. */
  readonly wallNow: () => number;
  /** Of a moment, and of a date as it stands on a tape: milliseconds since 1970, or no number. */
  readonly writeTime: (ms: number) => string;
  readonly timeOf: (date: string) => number;
}

/** What is chosen by the person; the rest of a tape's header is known here. */
export type TapeDetails = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

/** Writes tapes, and reads those that are there. */
export class TapeArchive {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Begins a tape in a new or empty folder; `onError` is called when it cannot be kept. */
  readonly openTape = (
    folder: string,
    facts: TapeDetails,
    onError: (error: AppError) => void,
  ): Promise<Outcome<TapeRecorder>> =>
    openLastingRecorder(folder, this.#headerOf(facts, 0), { ...this.#deps, onError });

  /** Holds the last two minutes in memory, to make a tape of them. */
  readonly holdRecent = (facts: TapeDetails): HeldTape => {
    const recent = new RecentTape(this.#deps.clock);
    return {
      recorder: recent,
      writeTo: (folder) =>
        recent.writeTo(folder, this.#headerOf(facts, recent.milliseconds), {
          ...this.#deps,
          // The first of them is what it comes to.
          onError: () => undefined,
        }),
    };
  };

  /** A tape as far as it is whole, to be played: its folder, the file of its lines, or all of it in one file. */
  readonly loadTapeAt = (path: string): Promise<Outcome<LoadedTape>> =>
    loadTapeAt(path, this.#deps);

  /** What a tape is of, without reading what is on it. */
  readonly headerOf = (folder: string): TapeHeader | undefined =>
    readTapeHeader(folder, this.#deps.files);

  /** Whether a person asked for what was in memory only to become this tape. */
  readonly isSaved = (folder: string): boolean => this.headerOf(folder)?.saved === true;

  /** When a talk on a tape was, with whom and how long, without playing it. */
  readonly look = async (folder: string): Promise<Outcome<TapedTalkFacts>> => {
    const inspected = await inspectTape(folder, this.#deps);
    if (!inspected.ok) return inspected;
    const { header, lines, sounds, damage } = inspected.value;
    for (const sound of sounds.values()) sound.close();
    const { mode, endpoint, recordedAt } = header;
    if (mode === 'chat') return failure('replayOfChat');
    const at = this.#deps.timeOf(recordedAt);
    return {
      ok: true,
      value: {
        mode,
        endpoint,
        recordedAt: Number.isNaN(at) || at < 0 ? undefined : at,
        seconds: (lines.at(-1)?.line.at ?? 0) / 1000,
        cut: damage !== undefined,
      },
    };
  };

  /** Of a tape that began so many milliseconds ago. */
  #headerOf(facts: TapeDetails, ago: number): TapeHeader {
    const { wallNow, writeTime } = this.#deps;
    const recordedAt = writeTime(wallNow() - ago);
    return { format: 'parley-tape', version: 1, ...facts, recordedAt };
  }
}
