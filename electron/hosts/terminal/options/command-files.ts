import { z } from 'zod';
import type { Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { FileWriter } from '../../../../shared/ports/files.ts';
import type { ChatMessage } from '../../../../shared/protocol/client-event.ts';
import { inputRate, outputRate } from '../../../../shared/protocol/realtime-api.ts';
import { soundFromWav } from '../../../audio/dsp/sound-from-wav.ts';
import { openWavWriter, type WavWriter } from '../../../recordings/tape/sound-writer.ts';
import type { Cue } from '../../../talk/captions/live-captions.ts';
import { toSrt, toVtt } from '../../../talk/captions/subtitle-files.ts';
import { CommandError, exitCode, type ExitCode, UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import type { TerminalCore } from '../terminal-core.ts';
import type { CommandSpec } from './command-spec.ts';

/** More than an hour of stereo at 44.1 kHz would be; sessions end after ten minutes. */
const maxWavBytes = 256 * 1024 * 1024;
const maxPictureBytes = 64 * 1024 * 1024;
/** The longest side that is worth sending: the model looks at slices of 448. */
const maxPictureSide = 1344;

export const maxInputSeconds = 600;
const maxVoiceSeconds = 60;

/** The sound of a WAV file the person named, at the rate of the wire. */
export async function readSound(
  { files }: Pick<TerminalCore, 'files'>,
  path: string,
  maxSeconds: number,
): Promise<Float32Array> {
  const bytes = unwrapOrExit(await files.read(path, maxWavBytes));
  return unwrapOrExit(soundFromWav(bytes, inputRate, maxSeconds), path);
}

/** A voice to take after, where one was named. */
export async function readVoice(
  parley: Pick<TerminalCore, 'files'>,
  path: string | undefined,
): Promise<Float32Array | undefined> {
  return path === undefined ? undefined : readSound(parley, path, maxVoiceSeconds);
}

/** A picture the person named, as a JPEG fit to send. */
export async function readPicture(
  { files, pictures }: Pick<TerminalCore, 'files' | 'pictures'>,
  path: string,
): Promise<Uint8Array> {
  const bytes = unwrapOrExit(await files.read(path, maxPictureBytes));
  return unwrapOrExit(await pictures.prepare(bytes, maxPictureSide), path);
}

async function createOutputFile(
  { files }: Pick<TerminalCore, 'files'>,
  path: string,
): Promise<FileWriter> {
  return unwrapOrExit(await files.create(path));
}

async function createWav(parley: Pick<TerminalCore, 'files'>, path: string): Promise<WavWriter> {
  return openWavWriter(await createOutputFile(parley, path), { rate: outputRate, coding: 'pcm16' });
}

/** A file that cannot be used is a wrong argument: nothing has been done yet. */
export function unwrapOrExit<Value>(outcome: Outcome<Value>, path?: string): Value {
  if (outcome.ok) return outcome.value;
  const message = describeAppError(outcome.error);
  // Who looks into a file does not know its name, and begins with "This".
  throw new CommandError(path === undefined ? message : `${path}: ${message}`, exitCode.wrongUsage);
}

const captionWriters = { vtt: toVtt, srt: toSrt } as const;

interface CaptionFile {
  readonly path: string;
  readonly write: (cues: readonly Cue[]) => string;
}

/** Where what was heard goes. */
export const answerFileOptions = {
  output: {
    value: 'OUT.wav',
    file: true,
    about: 'what was heard, on the time line of the session',
  },
  captions: {
    value: 'OUT.vtt|OUT.srt',
    file: true,
    read: readCaptionFile,
    about: 'the captions, in the format that the name ends with',
  },
} as const satisfies CommandSpec['options'];

function readCaptionFile(path: string): CaptionFile {
  const format = /\.(vtt|srt)$/i.exec(path)?.[1]?.toLowerCase();
  if (format === 'vtt' || format === 'srt') return { path, write: captionWriters[format] };
  throw new UsageError(`--captions takes a file that ends in .vtt or .srt, not "${path}".`);
}

/** As the options name them. */
interface AnswerFilePaths {
  readonly output?: string | undefined;
  readonly captions?: CaptionFile | undefined;
}

/** The files that the answer goes into, as it is heard. */
export interface AnswerFiles {
  readonly played: (samples: Float32Array) => void;
  readonly cue: (cue: Cue) => void;
  /** Writes what is left, and says what went wrong. */
  readonly finish: () => Promise<Outcome<undefined>>;
}

/** Makes them before anything is said, so that what cannot be written is known before. */
export async function openAnswerFiles(
  parley: Pick<TerminalCore, 'files'>,
  { output, captions }: AnswerFilePaths,
): Promise<AnswerFiles> {
  const wav = output === undefined ? undefined : await createWav(parley, output);
  const words = captions === undefined ? undefined : await createOutputFile(parley, captions.path);
  const cues: Cue[] = [];
  return {
    played: (samples) => {
      wav?.write(samples);
    },
    cue: (cue) => {
      if (words !== undefined) cues.push(cue);
    },
    finish: async () => {
      if (captions !== undefined) words?.append(captions.write(cues));
      const written = [await wav?.finish(), await words?.close()];
      return written.find((outcome) => outcome?.ok === false) ?? { ok: true, value: undefined };
    },
  };
}

/** Does something with the file that speech goes into, where one is named; what cannot be written is a failure. */
export async function withSpeechFile(
  parley: Pick<TerminalCore, 'files'>,
  { err }: Pick<Terminal, 'err'>,
  path: string | undefined,
  run: (wav: WavWriter | undefined) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (path === undefined) return run(undefined);
  const wav = await createWav(parley, path);
  try {
    const code = await run(wav);
    const written = await wav.finish();
    if (written.ok) return code;
    err(`${describeAppError(written.error)}\n`);
    return exitCode.failed;
  } catch (error) {
    await wav.finish();
    throw error;
  }
}

const maxBytes = 4 * 1024 * 1024;

const messages = z
  .array(
    z.strictObject({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.string().min(1),
    }),
  )
  .max(10_000);

/** What was said before the question, as the documents write messages. */
export async function readMessagesFile(
  { files }: Pick<TerminalCore, 'files'>,
  path: string,
): Promise<readonly ChatMessage[]> {
  const text = new TextDecoder().decode(unwrapOrExit(await files.read(path, maxBytes)));
  const read = messages.safeParse(parsed(text));
  if (read.success) return read.data;
  throw new CommandError(
    `${path}: these are no messages; write them as [{"role": "user", "content": "…"}, …].`,
    exitCode.wrongUsage,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
