import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Base64 } from '../../../shared/protocol/base64.ts';
import { exactCoding } from '../../../shared/replay/tape-coding.ts';
import type { TapeCoding } from '../../../shared/replay/tape-coding.ts';
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import { BothSides } from './both-sides.ts';
import type { TapeUpsampler } from './both-sides.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StartDigest } from '../../ports/digest.ts';
import type { Files, FileWriter } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { createTapeMediaWriter } from './tape-media-writer.ts';
import { TapeChecksums } from './tape-checksums.ts';
import { openSoundFile, soundFileName } from './sound-file.ts';
import { tapeFiles } from './tape.ts';
import type { TapeHeader } from './tape.ts';
import type { ResumableRecorder } from './tape-recorder.ts';
import { recorderOfFiles } from './recorder-of-files.ts';
import { headerForTape } from './written-line.ts';

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
  let failed: AppError | undefined;
  const fail = (error: AppError): void => {
    if (failed !== undefined) return;
    failed = error;
    deps.onError(error);
  };
  const made = await deps.files.createFolder(folder);
  if (!made.ok) return made;
  const checksums = deps.digest && new TapeChecksums(deps.digest);
  const opened: FileWriter[] = [];
  const coding = header.sound ?? exactCoding;
  const names = {
    microphone: soundFileName('microphone', coding),
    answer: soundFileName('answer', coding),
    both: soundFileName('bothSides', listeningCoding(coding)),
  };
  const both = deps.upsampler === undefined ? [] : [names.both];
  for (const name of [tapeFiles.lines, names.microphone, names.answer, ...both]) {
    const file = await deps.files.create(`${folder}/${name}`, (error) => {
      checksums?.forget(name);
      fail(error);
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
  const parts = {
    lines,
    files: opened,
    store: createTapeMediaWriter({ ...deps, folder, checksums, onError: fail }),
    microphone: {
      name: names.microphone,
      sound: openSoundFile(microphone, { rate: inputRate, coding }, deps.clock),
    },
    answer: {
      name: names.answer,
      sound: openSoundFile(answer, { rate: outputRate, coding }, deps.clock),
    },
    bothSides:
      stereo &&
      deps.upsampler &&
      new BothSides(
        openSoundFile(
          stereo,
          { rate: outputRate, channels: 2, coding: listeningCoding(coding) },
          deps.clock,
        ),
        deps.clock,
        deps.upsampler(),
      ),
    writeChecksums: () => writeChecksums(folder, checksums, deps.files),
    fail,
    failed: () => failed,
    forget: () => {
      failed = undefined;
    },
  };
  return { ok: true, value: recorderOfFiles(parts, deps.clock) };
}

/** Nothing is played of what is for listening: 16 bit are enough, and what can be smaller is. */
function listeningCoding(coding: TapeCoding): TapeCoding {
  return coding === exactCoding ? 'pcm16' : 'flac';
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
