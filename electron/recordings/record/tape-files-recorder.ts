import type { AppError, ErrorCode, Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files, FileWriter, StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { openWavWriter, type WavWriter } from '../tape/sound-writer.ts';
import { TapeChecksums } from '../tape/tape-checksums.ts';
import { tapeFiles, type TapeHeader, writtenCoding } from '../tape/tape.ts';
import { BothSides, type TalkSide, type TapeUpsampler } from './both-sides.ts';
import {
  headerForTape,
  type SoundTrack,
  type StoreMedia,
  TapeMediaWriter,
  writtenLine,
} from './tape-line-writer.ts';
import type { TapeEntry, TapeRecorder } from './tape-recorder.ts';

/** A recorder whose disk may be full, or whose folder may be taken away. */
export interface ResumableRecorder extends TapeRecorder {
  /** Whether its files are still where they were made. */
  readonly isThere: () => boolean;
  /** Goes on after something went wrong. */
  readonly resume: () => Promise<Outcome<undefined>>;
  /** Says on the tape that something is missing up to now. */
  readonly gap: (gap: TapeGap) => void;
}

export interface TapeGap {
  /** By the recorder's clock. */
  readonly since: number;
  readonly why: ErrorCode;
}

export interface TapeRecorderDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly base64: Base64;
  /** Where it is given, checksums of all files stand beside them at the close. */
  readonly digest?: StartDigest | undefined;
  /** Where it is given, both voices stand in one stereo file, too. */
  readonly upsampler?: (() => TapeUpsampler) | undefined;
  /** Called when something cannot be written, once until it is resumed; the session goes on. */
  readonly onError: (error: AppError) => void;
}

/** Makes the folder of a new tape and its files; the folder must be new or empty. */
export async function openTapeRecorder(
  folder: string,
  header: TapeHeader,
  deps: TapeRecorderDeps,
): Promise<Outcome<ResumableRecorder>> {
  const trouble = new FirstTrouble(deps.onError);
  const made = await deps.files.createFolder(folder);
  if (!made.ok) return made;
  const checksums = deps.digest && new TapeChecksums(deps.digest);
  const opened: FileWriter[] = [];
  const coding = writtenCoding(header.sound);
  const both = deps.upsampler === undefined ? [] : [tapeFiles.bothSides];
  for (const name of [tapeFiles.lines, tapeFiles.microphone, tapeFiles.answer, ...both]) {
    const file = await deps.files.create(`${folder}/${name}`, (error) => {
      checksums?.forget(name);
      trouble.tell(error);
    });
    const kind = name === tapeFiles.lines ? 'text' : 'sound';
    if (file.ok) opened.push(checksums?.watch(name, kind, file.value) ?? file.value);
    else {
      // The folder is free for another try.
      await Promise.all(opened.map((other) => other.discard()));
      return file;
    }
  }
  const [lines, microphone, answer, stereo] = opened as [
    FileWriter,
    FileWriter,
    FileWriter,
    FileWriter?,
  ];
  lines.append(`${JSON.stringify(headerForTape(header))}\n`);
  const { clock, files, base64, upsampler } = deps;
  // Nothing is played of what is for listening: 16 bit are enough.
  const stereoFormat = { rate: outputRate, channels: 2, coding: 'pcm16' } as const;
  const recorder = new TapeFilesRecorder({
    clock,
    trouble,
    lines,
    files: opened,
    media: new TapeMediaWriter({ folder, files, base64, checksums, onError: trouble.tell }),
    microphone: {
      name: tapeFiles.microphone,
      sound: openWavWriter(microphone, { rate: inputRate, coding }),
    },
    answer: {
      name: tapeFiles.answer,
      sound: openWavWriter(answer, { rate: outputRate, coding }),
    },
    bothSides:
      stereo && upsampler && new BothSides(openWavWriter(stereo, stereoFormat), clock, upsampler()),
    writeChecksums: () => writeChecksums(folder, checksums, files),
  });
  return { ok: true, value: recorder };
}

/** Last of all, so that what a killed recorder leaves has none. */
async function writeChecksums(
  folder: string,
  checksums: TapeChecksums | undefined,
  files: Files,
): Promise<Outcome<undefined>> {
  if (checksums === undefined) return { ok: true, value: undefined };
  const file = await files.create(`${folder}/${tapeFiles.checksums}`);
  if (!file.ok) return file;
  file.value.append(checksums.text());
  const closed = await file.value.close();
  // Half of them would say that the tape was changed.
  if (!closed.ok) await file.value.discard();
  return closed;
}

/** The first thing that went wrong is told, and the next one only after it was forgotten. */
class FirstTrouble {
  readonly #onError: (error: AppError) => void;
  #error: AppError | undefined;

  constructor(onError: (error: AppError) => void) {
    this.#onError = onError;
  }

  get error(): AppError | undefined {
    return this.#error;
  }

  readonly tell = (error: AppError): void => {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#onError(error);
  };

  forget(): void {
    this.#error = undefined;
  }
}

interface OpenTrack extends SoundTrack {
  readonly sound: WavWriter;
}

interface TapeParts {
  readonly clock: Clock;
  readonly trouble: FirstTrouble;
  readonly lines: FileWriter;
  /** Those that it begins with. */
  readonly files: readonly FileWriter[];
  readonly media: TapeMediaWriter;
  readonly microphone: OpenTrack;
  readonly answer: OpenTrack;
  readonly bothSides: BothSides | undefined;
  readonly writeChecksums: () => Promise<Outcome<undefined>>;
}

/** The recorder of files that are open. */
class TapeFilesRecorder implements ResumableRecorder {
  readonly #parts: TapeParts;
  readonly #began: number;
  readonly #storeOurs: StoreMedia;
  readonly #storeTheirs: StoreMedia;
  #anyConnection = false;

  constructor(parts: TapeParts) {
    this.#parts = parts;
    this.#began = parts.clock.now();
    this.#storeOurs = parts.media.storeInto(parts.microphone);
    this.#storeTheirs = parts.media.storeInto(parts.answer);
  }

  record(entry: TapeEntry): void {
    const { clock, lines } = this.#parts;
    const at = this.#sinceBegun(clock.now());
    this.#anyConnection ||= entry.dir !== 'end' && entry.dir !== 'event';
    const connection = entry.dir === 'event' ? 1 : entry.connection;
    const which = connection === 1 ? {} : { connection };
    const store = entry.dir === 'out' ? this.#storeOurs : this.#storeTheirs;
    lines.append(`${JSON.stringify({ at, ...which, ...writtenLine(entry, store) })}\n`);
  }

  answered(): void {
    // All of it is on this tape.
  }

  sounded(who: TalkSide, samples: Float32Array): void {
    this.#parts.bothSides?.sounded(who, samples);
  }

  isThere(): boolean {
    return this.#parts.files.every((file) => file.isThere());
  }

  async resume(): Promise<Outcome<undefined>> {
    this.#parts.trouble.forget();
    for (const file of this.#parts.files) {
      const resumed = await file.resume();
      if (!resumed.ok) return resumed;
    }
    return { ok: true, value: undefined };
  }

  gap({ since, why }: TapeGap): void {
    this.record({ dir: 'event', event: { kind: 'gap', from: this.#sinceBegun(since), why } });
  }

  async close(): Promise<Outcome<undefined>> {
    const { media, files, lines, microphone, answer, bothSides, trouble } = this.#parts;
    await media.settle();
    // In a folder that was taken away meanwhile there is nothing to check.
    const isThere = this.isThere();
    // Where no connection came about there is nothing to play, and the folder is free to try again.
    const ends = this.#anyConnection
      ? [
          microphone.sound.finish,
          answer.sound.finish,
          () => bothSides?.finish() ?? ({ ok: true, value: undefined } as const),
          lines.close,
        ]
      : files.map((file) => file.discard);
    for (const end of ends) {
      const finished = await end();
      if (!finished.ok) trouble.tell(finished.error);
    }
    if (this.#anyConnection && isThere && trouble.error === undefined) {
      const written = await this.#parts.writeChecksums();
      if (!written.ok) trouble.tell(written.error);
    }
    const { error } = trouble;
    return error === undefined ? { ok: true, value: undefined } : { ok: false, error };
  }

  #sinceBegun(time: number): number {
    return Math.round((time - this.#began) * 1000) / 1000;
  }
}
