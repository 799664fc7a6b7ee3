import {
  type AppError,
  done,
  type ErrorCode,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, FileWriter, StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import {
  openWavWriter,
  type WavWriter,
  tapeFiles,
  type TapeHeader,
  losslessCoding,
} from '../tape/tape.ts';
import { TapeChecksums } from '../tape/tape-checksums.ts';
import { StereoRecorder, type TalkSide, type TapeUpsampler } from './stereo-recorder.ts';
import {
  headerForTape,
  type SoundTrack,
  type StoreMedia,
  TapeMediaWriter,
  toWrittenLine,
} from './written-line.ts';
import type { TapeEntry, TapeRecorder } from './tape-recorder.ts';

export interface ResumableRecorder extends TapeRecorder {
  readonly isThere: () => boolean;
  /** Retries after an error. */
  readonly resume: () => Promise<Outcome<undefined>>;
  /** Records that entries are missing from `since` to now. */
  readonly gap: (gap: TapeGap) => void;
}

export interface TapeGap {
  readonly since: number;
  readonly why: ErrorCode;
}

export interface TapeRecorderDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  /** If set, writes checksums of all files at the close. */
  readonly digest?: StartDigest | undefined;
  /** If set, also writes both voices as one stereo file. */
  readonly upsampler?: (() => TapeUpsampler) | undefined;
  /** Called for the first write error, and for the first one after each `resume`. The session continues. */
  readonly onError: (error: AppError) => void;
}

/** Creates a tape in a new or empty folder. */
export async function openTapeRecorder(
  folder: string,
  header: TapeHeader,
  deps: TapeRecorderDeps,
): Promise<Outcome<ResumableRecorder>> {
  const firstError = new FirstError(deps.onError);
  const made = await deps.files.createFolder(folder);
  if (!made.ok) return made;
  const checksums = deps.digest && new TapeChecksums(deps.digest);
  const opened: FileWriter[] = [];
  const coding = losslessCoding(header.sound);
  const stereoNames = deps.upsampler === undefined ? [] : [tapeFiles.stereo];
  for (const name of [tapeFiles.lines, tapeFiles.microphone, tapeFiles.answer, ...stereoNames]) {
    const file = await deps.files.create(`${folder}/${name}`, (error) => {
      checksums?.forget(name);
      firstError.report(error);
    });
    const kind = name === tapeFiles.lines ? 'text' : 'sound';
    if (file.ok) opened.push(checksums?.watch(name, kind, file.value) ?? file.value);
    else {
      // Leaves the folder empty for another attempt.
      await Promise.all(opened.map((other) => other.discard()));
      return file;
    }
  }
  const [lines, microphone, answer, stereoFile] = opened as [
    FileWriter,
    FileWriter,
    FileWriter,
    FileWriter?,
  ];
  lines.append(`${JSON.stringify(headerForTape(header))}\n`);
  const { clock, files, base64, upsampler } = deps;
  // The stereo file is for listening only, so 16 bits suffice.
  const stereoFormat = { rate: outputRate, channels: 2, coding: 'pcm16' } as const;
  const recorder = new TapeFilesRecorder({
    clock,
    firstError,
    lines,
    files: opened,
    media: new TapeMediaWriter({ folder, files, base64, checksums, onError: firstError.report }),
    microphone: {
      name: tapeFiles.microphone,
      sound: openWavWriter(microphone, { rate: inputRate, coding }),
    },
    answer: {
      name: tapeFiles.answer,
      sound: openWavWriter(answer, { rate: outputRate, coding }),
    },
    stereo:
      stereoFile &&
      upsampler &&
      new StereoRecorder(openWavWriter(stereoFile, stereoFormat), clock, upsampler()),
    writeChecksums: () => writeChecksums(folder, checksums, files),
  });
  return { ok: true, value: recorder };
}

/** Writes the checksums after all other files, so a killed recorder leaves none. */
async function writeChecksums(
  folder: string,
  checksums: TapeChecksums | undefined,
  files: Files,
): Promise<Outcome<undefined>> {
  if (checksums === undefined) return done;
  const file = await files.create(`${folder}/${tapeFiles.checksums}`);
  if (!file.ok) return file;
  file.value.append(checksums.text());
  const closed = await file.value.close();
  // A partial checksum file would make the tape look changed.
  if (!closed.ok) await file.value.discard();
  return closed;
}

/** Reports the first error, and the next one only after `clear`. */
class FirstError {
  readonly #onError: (error: AppError) => void;
  #error: AppError | undefined;

  constructor(onError: (error: AppError) => void) {
    this.#onError = onError;
  }

  get error(): AppError | undefined {
    return this.#error;
  }

  readonly report = (error: AppError): void => {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#onError(error);
  };

  clear(): void {
    this.#error = undefined;
  }
}

interface OpenTrack extends SoundTrack {
  readonly sound: WavWriter;
}

interface TapeParts {
  readonly clock: Clock;
  readonly firstError: FirstError;
  readonly lines: FileWriter;
  readonly files: readonly FileWriter[];
  readonly media: TapeMediaWriter;
  readonly microphone: OpenTrack;
  readonly answer: OpenTrack;
  readonly stereo: StereoRecorder | undefined;
  readonly writeChecksums: () => Promise<Outcome<undefined>>;
}

class TapeFilesRecorder implements ResumableRecorder {
  readonly #parts: TapeParts;
  readonly #startedAt: number;
  readonly #storeSentMedia: StoreMedia;
  readonly #storeReceivedMedia: StoreMedia;
  #hasConnection = false;

  constructor(parts: TapeParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#storeSentMedia = parts.media.storeInto(parts.microphone);
    this.#storeReceivedMedia = parts.media.storeInto(parts.answer);
  }

  record(entry: TapeEntry): void {
    const { clock, lines } = this.#parts;
    const at = this.#tapeTime(clock.now());
    this.#hasConnection ||= entry.dir !== 'end' && entry.dir !== 'event';
    const connection = entry.dir === 'event' ? 1 : entry.connection;
    const which = connection === 1 ? {} : { connection };
    const store = entry.dir === 'out' ? this.#storeSentMedia : this.#storeReceivedMedia;
    lines.append(`${JSON.stringify({ at, ...which, ...toWrittenLine(entry, store) })}\n`);
  }

  countAnswer(): void {
    // `ResilientRecorder` keeps the counts, because only its tapes can lack part of a talk.
  }

  addSound(who: TalkSide, samples: Float32Array): void {
    this.#parts.stereo?.addSound(who, samples);
  }

  isThere(): boolean {
    return this.#parts.files.every((file) => file.exists());
  }

  async resume(): Promise<Outcome<undefined>> {
    this.#parts.firstError.clear();
    for (const file of this.#parts.files) {
      const resumed = await file.resume();
      if (!resumed.ok) return resumed;
    }
    return done;
  }

  gap({ since, why }: TapeGap): void {
    this.record({ dir: 'event', event: { kind: 'gap', from: this.#tapeTime(since), why } });
  }

  async close(): Promise<Outcome<undefined>> {
    const { media, files, lines, microphone, answer, stereo, firstError } = this.#parts;
    await media.settle();
    // A deleted folder has nothing to checksum.
    const isThere = this.isThere();
    // Without a connection there is nothing to play, so the files are deleted.
    const ends = this.#hasConnection
      ? [microphone.sound.finish, answer.sound.finish, () => stereo?.finish() ?? done, lines.close]
      : files.map((file) => file.discard);
    for (const end of ends) {
      const finished = await end();
      if (!finished.ok) firstError.report(finished.error);
    }
    if (this.#hasConnection && isThere && firstError.error === undefined) {
      const written = await this.#parts.writeChecksums();
      if (!written.ok) firstError.report(written.error);
    }
    const { error } = firstError;
    return error === undefined ? done : { ok: false, error };
  }

  #tapeTime(time: number): number {
    return Math.round((time - this.#startedAt) * 1000) / 1000;
  }
}
