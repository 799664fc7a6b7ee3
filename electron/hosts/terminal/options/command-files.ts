import { z } from 'zod';
import type { AppError, Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import type { Pictures } from '../../../../shared/ports/pictures.ts';
import {
  type ChatMessage,
  inputRate,
  outputRate,
} from '../../../../shared/protocol/realtime-api.ts';
import { soundFromWav } from '../../../audio/dsp/sound-from-wav.ts';
import { normalizeTapePath } from '../../../recordings/tape/tape-archive.ts';
import { openWavWriter } from '../../../recordings/tape/tape.ts';
import type { Cue } from '../../../talk/captions/live-captions.ts';
import { toSrt, toVtt } from '../../../talk/captions/subtitle-files.ts';
import {
  CommandError,
  exitCode,
  type ExitCode,
  UsageError,
  type Terminal,
} from '../terminal-command.ts';
import type { CommandSpec } from './command-spec.ts';

/** About 25 minutes of stereo at 44.1 kHz. Sessions end after ten minutes. */
const maxWavBytes = 256 * 1024 * 1024;
const maxPictureBytes = 64 * 1024 * 1024;
/** The longest side in pixels: the model sees at most 3 × 3 slices of 448 pixels. */
const maxPictureSide = 1344;

const maxVoiceSeconds = 60;

/** Reads a WAV file at the rate of the wire. */
export async function readSound(
  files: Pick<Files, 'read'>,
  path: string,
  maxSeconds = 600,
): Promise<Float32Array> {
  const bytes = unwrapOrExit(await files.read(path, maxWavBytes));
  return unwrapOrExit(soundFromWav(bytes, inputRate, maxSeconds), path);
}

/** Reads a voice sample, if a path was given. */
export async function readVoice(
  files: Pick<Files, 'read'>,
  path: string | undefined,
): Promise<Float32Array | undefined> {
  return path === undefined ? undefined : readSound(files, path, maxVoiceSeconds);
}

/** Reads a picture as a JPEG ready to send. */
export async function readPicture(
  { files, pictures }: { readonly files: Pick<Files, 'read'>; readonly pictures: Pictures },
  path: string,
): Promise<Uint8Array> {
  const bytes = unwrapOrExit(await files.read(path, maxPictureBytes));
  return unwrapOrExit(await pictures.prepare(bytes, maxPictureSide), path);
}

/** The time of a recording where the user is, as `2026-11-30 14:05`. Anybody may have written the tape's text. */
export function localRecordingTime({ recordedAt }: { readonly recordedAt: string }): string {
  const at = new Date(recordedAt);
  return Number.isNaN(at.getTime()) ? 'an unknown time' : at.toLocaleString('sv').slice(0, 16);
}

/**
 * Returns the value, or ends the command with wrong usage, because commands check their files before they do anything
 * else.
 */
export function unwrapOrExit<Value>(outcome: Outcome<Value>, path?: string): Value {
  if (outcome.ok) return outcome.value;
  const message = describeAppError(outcome.error);
  // Errors about content begin with "This" and do not name the file.
  throw new CommandError(path === undefined ? message : `${path}: ${message}`, exitCode.wrongUsage);
}

/** Reports an error that does not end the command. */
export function reportError({ err }: Pick<Terminal, 'err'>, error: AppError): void {
  err(`${describeAppError(error)}\n`);
}

/** Returns the value, or ends the command as failed. */
export function unwrapOrFail<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value;
  throw new CommandError(describeAppError(outcome.error), exitCode.failed);
}

const failedTapeCodes: ReadonlySet<string> = new Set(['tapeUnplayable', 'diskFull', 'readOnly']);

/**
 * Ends the command with a failure if a tape cannot be played or unpacked, and otherwise with wrong usage. `given` are the
 * paths of the tapes: without a permission elsewhere, such as in the state folder, none can be unpacked.
 */
export function tapeOrExit<Value>(outcome: Outcome<Value>, ...given: readonly string[]): Value {
  const isFailed =
    !outcome.ok &&
    (failedTapeCodes.has(outcome.error.code) || isDeniedElsewhere(outcome.error, given));
  return isFailed ? unwrapOrFail(outcome) : unwrapOrExit(outcome);
}

function isDeniedElsewhere(error: AppError, given: readonly string[]): boolean {
  if (error.code !== 'noPermission') return false;
  const { path } = error.facts;
  return !given.some((tape) => path.startsWith(normalizeTapePath(tape)));
}

const captionWriters = { vtt: toVtt, srt: toSrt } as const;

interface CaptionFile {
  readonly path: string;
  readonly write: (cues: readonly Cue[]) => string;
}

export const answerFileOptions = {
  output: {
    value: 'OUT.wav',
    file: true,
    about: 'saves the sound you would hear, on the timeline of the session',
  },
  captions: {
    value: 'OUT.vtt|OUT.srt',
    file: true,
    read: readCaptionFile,
    about: 'saves the captions; the file extension chooses the format',
  },
} as const satisfies CommandSpec['options'];

function readCaptionFile(path: string): CaptionFile {
  const format = /\.(vtt|srt)$/i.exec(path)?.[1]?.toLowerCase();
  if (format === 'vtt' || format === 'srt') return { path, write: captionWriters[format] };
  throw new UsageError(`--captions takes a file that ends in .vtt or .srt, not "${path}".`);
}

/** Writes the answer to files as it is heard. */
export interface AnswerFiles {
  readonly onSound: (samples: Float32Array) => void;
  readonly onCue: (cue: Cue) => void;
  /** Writes the rest and returns the first error. */
  readonly finish: () => Promise<Outcome<undefined>>;
  /** Removes the files, because the command is refused. */
  readonly discard: () => Promise<void>;
}

interface AnswerFileNames {
  readonly output?: string | undefined;
  readonly captions?: CaptionFile | undefined;
}

/** Creates the files before anything is sent, so that a failure is known early. */
export async function openAnswerFiles(
  files: Pick<Files, 'create'>,
  { output, captions }: AnswerFileNames,
): Promise<AnswerFiles> {
  const sound = output === undefined ? undefined : unwrapOrExit(await files.create(output));
  const wav = sound && openWavWriter(sound, { rate: outputRate, coding: 'pcm16' });
  const created = captions && (await files.create(captions.path));
  if (created?.ok === false) await sound?.discard();
  const words = created && unwrapOrExit(created);
  const cues: Cue[] = [];
  return {
    onSound: (samples) => wav?.write(samples),
    onCue: (cue) => {
      if (words !== undefined) cues.push(cue);
    },
    finish: async () => {
      if (captions !== undefined) words?.append(captions.write(cues));
      const written = [await wav?.finish(), await words?.close()];
      return written.find((outcome) => outcome?.ok === false) ?? { ok: true, value: undefined };
    },
    discard: async () => {
      await sound?.discard();
      await words?.discard();
    },
  };
}

/** Runs with a file for speech, if a path was given. A write error fails the command. */
export async function withSpeechFile(
  files: Pick<Files, 'create'>,
  { err }: Terminal,
  path: string | undefined,
  run: (onSound: AnswerFiles['onSound']) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { onSound, finish } = await openAnswerFiles(files, { output: path });
  const code = await run(onSound).catch(async (error: unknown) => {
    await finish();
    throw error;
  });
  const written = await finish();
  if (written.ok) return code;
  err(`${describeAppError(written.error)}\n`);
  return exitCode.failed;
}

const maxMessagesBytes = 4 * 1024 * 1024;

const messages = z
  .array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.string().min(1),
    }),
  )
  .max(10_000);

export async function readMessagesFile(
  files: Pick<Files, 'read'>,
  path: string | undefined,
): Promise<readonly ChatMessage[]> {
  if (path === undefined) return [];
  const text = new TextDecoder().decode(unwrapOrExit(await files.read(path, maxMessagesBytes)));
  const checked = messages.safeParse(parseJson(text));
  if (checked.success) return checked.data;
  throw new CommandError(
    `${path}: not a list of messages, which looks like [{"role": "user", "content": "…"}, …].`,
    exitCode.wrongUsage,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
