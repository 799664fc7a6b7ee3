import { z } from 'zod';
import type { Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import type { Pictures } from '../../../../shared/ports/pictures.ts';
import type { ChatMessage } from '../../../../shared/protocol/client-event.ts';
import { inputRate, outputRate } from '../../../../shared/protocol/realtime-api.ts';
import { soundFromWav } from '../../../audio/dsp/sound-from-wav.ts';
import { openWavWriter } from '../../../recordings/tape/sound-writer.ts';
import type { Cue } from '../../../talk/captions/live-captions.ts';
import { toSrt, toVtt } from '../../../talk/captions/subtitle-files.ts';
import { CommandError, exitCode, type ExitCode, UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import type { CommandSpec } from './command-spec.ts';

/** More than an hour of stereo at 44.1 kHz would be; sessions end after ten minutes. */
const maxWavBytes = 256 * 1024 * 1024;
const maxPictureBytes = 64 * 1024 * 1024;
/** The longest side that is worth sending: the model looks at slices of 448. */
const maxPictureSide = 1344;

const maxVoiceSeconds = 60;

/** The sound of a WAV file the person named, at the rate of the wire. */
export async function readSound(
  files: Pick<Files, 'read'>,
  path: string,
  maxSeconds = 600,
): Promise<Float32Array> {
  const bytes = unwrapOrExit(await files.read(path, maxWavBytes));
  return unwrapOrExit(soundFromWav(bytes, inputRate, maxSeconds), path);
}

/** A voice to take after, where one was named. */
export async function readVoice(
  files: Pick<Files, 'read'>,
  path: string | undefined,
): Promise<Float32Array | undefined> {
  return path === undefined ? undefined : readSound(files, path, maxVoiceSeconds);
}

/** A picture the person named, as a JPEG fit to send. */
export async function readPicture(
  { files, pictures }: { readonly files: Pick<Files, 'read'>; readonly pictures: Pictures },
  path: string,
): Promise<Uint8Array> {
  const bytes = unwrapOrExit(await files.read(path, maxPictureBytes));
  return unwrapOrExit(await pictures.prepare(bytes, maxPictureSide), path);
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

/** The files that the answer goes into, as it is heard. */
export interface AnswerFiles {
  readonly played: (samples: Float32Array) => void;
  readonly cue: (cue: Cue) => void;
  /** Writes what is left, and says what went wrong. */
  readonly finish: () => Promise<Outcome<undefined>>;
}

interface AnswerFileNames {
  readonly output?: string | undefined;
  readonly captions?: CaptionFile | undefined;
}

/** Makes them before anything is said, so that what cannot be written is known before. */
export async function openAnswerFiles(
  files: Pick<Files, 'create'>,
  { output, captions }: AnswerFileNames,
): Promise<AnswerFiles> {
  const sound = output === undefined ? undefined : unwrapOrExit(await files.create(output));
  const wav = sound && openWavWriter(sound, { rate: outputRate, coding: 'pcm16' });
  const words = captions && unwrapOrExit(await files.create(captions.path));
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
  files: Pick<Files, 'create'>,
  { err }: Terminal,
  path: string | undefined,
  run: (played: AnswerFiles['played']) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { played, finish } = await openAnswerFiles(files, { output: path });
  const code = await run(played).catch(async (error: unknown) => {
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

/** What was said before the question, as the documents write messages. */
export async function readMessagesFile(
  files: Pick<Files, 'read'>,
  path: string | undefined,
): Promise<readonly ChatMessage[]> {
  if (path === undefined) return [];
  const text = new TextDecoder().decode(unwrapOrExit(await files.read(path, maxMessagesBytes)));
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
