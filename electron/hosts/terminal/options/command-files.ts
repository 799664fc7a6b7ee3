import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { soundFromWav } from '../../../sound/dsp/sound-from-wav.ts';
import type { FileWriter } from '../../../ports/files.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import { inputRate } from '../../../../shared/protocol/protocol-limits.ts';
import { CommandError, exitCode } from '../exit-code.ts';

/** More than an hour of stereo at 44.1 kHz would be; sessions end after ten minutes. */
const maxWavBytes = 256 * 1024 * 1024;
const maxPictureBytes = 64 * 1024 * 1024;
/** The longest side that is worth sending: the model looks at slices of 448. */
const maxPictureSide = 1344;

export const maxInputSeconds = 600;
export const maxVoiceSeconds = 60;

/** The sound of a WAV file the person named, at the rate of the wire. */
export async function readSound(
  { files }: Pick<Parley, 'files'>,
  path: string,
  maxSeconds: number,
): Promise<Float32Array> {
  const bytes = unwrapOrExit(await files.read(path, maxWavBytes));
  return unwrapOrExit(soundFromWav(bytes, inputRate, maxSeconds), path);
}

/** A picture the person named, as a JPEG fit to send. */
export async function readPicture(
  { files, pictures }: Pick<Parley, 'files' | 'pictures'>,
  path: string,
): Promise<Uint8Array> {
  const bytes = unwrapOrExit(await files.read(path, maxPictureBytes));
  return unwrapOrExit(await pictures.prepare(bytes, maxPictureSide), path);
}

export async function createOutputFile(
  { files }: Pick<Parley, 'files'>,
  path: string,
): Promise<FileWriter> {
  return unwrapOrExit(await files.create(path));
}

/** A file that cannot be used is a wrong argument: nothing has been done yet. */
export function unwrapOrExit<Value>(outcome: Outcome<Value>, path?: string): Value {
  if (outcome.ok) return outcome.value;
  const message = describeAppError(outcome.error);
  // Who looks into a file does not know its name, and begins with "This".
  throw new CommandError(path === undefined ? message : `${path}: ${message}`, exitCode.wrongUsage);
}
