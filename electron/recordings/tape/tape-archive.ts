import { type AppError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { TapedTalkFacts } from '../history/talk-source.ts';
import type { TapeUpsampler } from '../record/stereo-recorder.ts';
import { openResilientRecorder } from '../record/resilient-recorder.ts';
import { RecentTalkBuffer } from '../record/recent-talk-buffer.ts';
import type { BufferedTape } from '../record/recent-tape-controller.ts';
import type { TapeRecorder } from '../record/tape-recorder.ts';
import { inspectTape } from './inspect-tape.ts';
import { type LoadedTape, loadTapeAt, readTapeHeader, type UnpackTape } from './open-tape.ts';
import type { TapeFacts, TapeHeader } from './tape.ts';

interface Deps {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly unpack: UnpackTape;
  /** Creates a resampler from the microphone's rate to the output rate. */
  readonly upsampler: () => TapeUpsampler;
  /** Wall clock, in milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Formats and parses a tape's date; NaN if it cannot be parsed. */
  readonly writeTime: (ms: number) => string;
  readonly parseTime: (date: string) => number;
}

/** Creates, buffers and opens tapes with the adapters of this machine. */
export class TapeArchive {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Creates a tape in a new or empty folder; `onError` reports write errors. */
  readonly openTape = (
    folder: string,
    facts: TapeFacts,
    onError: (error: AppError) => void,
  ): Promise<Outcome<TapeRecorder>> =>
    openResilientRecorder(folder, this.#createHeader(facts, 0), { ...this.#deps, onError });

  /** Buffers the last two minutes, to save them as a tape later. */
  readonly holdRecent = (facts: TapeFacts): BufferedTape => {
    const recent = new RecentTalkBuffer(this.#deps.clock);
    return {
      recorder: recent,
      writeTo: (folder) =>
        recent.writeTo(folder, this.#createHeader(facts, recent.milliseconds), {
          ...this.#deps,
          // `writeTo` returns the first error.
          onError: () => undefined,
        }),
    };
  };

  /** Opens the usable part of a tape: its folder, its line file, or an archive. */
  readonly loadTapeAt = (path: string): Promise<Outcome<LoadedTape>> =>
    loadTapeAt(path, this.#deps);

  readonly readHeader = (folder: string): TapeHeader | undefined =>
    readTapeHeader(folder, this.#deps.files);

  /** Whether the user saved this tape from the buffer. */
  readonly isSaved = (folder: string): boolean => this.readHeader(folder)?.saved === true;

  /** Reads the facts of a taped talk for the history, without rendering the tape. */
  readonly readFacts = async (folder: string): Promise<Outcome<TapedTalkFacts>> => {
    const inspected = await inspectTape(folder, this.#deps);
    if (!inspected.ok) return inspected;
    const { header, lines, damage, close } = inspected.value;
    close();
    const { mode, endpoint, recordedAt } = header;
    if (mode === 'chat') return failure('replayOfChat');
    const at = this.#deps.parseTime(recordedAt);
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

  /** Header of a tape that began `ago` milliseconds before now. */
  #createHeader(facts: TapeFacts, ago: number): TapeHeader {
    const { wallNow, writeTime } = this.#deps;
    const recordedAt = writeTime(wallNow() - ago);
    return { format: 'parley-tape', version: 1, ...facts, recordedAt };
  }
}
