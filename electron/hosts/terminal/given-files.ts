import type { Parley } from '../../compose.ts';
import { soundFromWav } from '../../audio/sound-from-wav.ts';
import type { FileWriter } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { inputRate } from '../../../shared/protocol/limits.ts';
import { CommandError } from './command.ts';
import { exitCode } from './exit-code.ts';

/** More than an hour of stereo at 44.1 kHz would be; sessions end after ten minutes. */
const largestWav = 256 * 1024 * 1024;
const largestPicture = 64 * 1024 * 1024;
/** The longest side that is worth sending: the model looks at slices of 448. */
const longestSide = 1344;

export const longestInput = 600;
export const longestVoice = 60;

/** The sound of a WAV file the person named, at the rate of the wire. */
export async function readSound(
  { files }: Pick<Parley, 'files'>,
  path: string,
  mostSeconds: number,
): Promise<Float32Array> {
  const bytes = orStop(await files.read(path, largestWav));
  return orStop(named(path, soundFromWav(bytes, inputRate, mostSeconds)));
}

/** A picture the person named, as a JPEG fit to send. */
export async function readPicture(
  { files, pictures }: Pick<Parley, 'files' | 'pictures'>,
  path: string,
): Promise<Uint8Array> {
  const bytes = orStop(await files.read(path, largestPicture));
  return orStop(named(path, await pictures.prepare(bytes, longestSide)));
}

export async function createFile(
  { files }: Pick<Parley, 'files'>,
  path: string,
): Promise<FileWriter> {
  return orStop(await files.create(path));
}

/** A file that cannot be used is a wrong argument: nothing has been done yet. */
export function orStop<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value;
  throw new CommandError(outcome.problem, exitCode.wrongUsage);
}

/** Those who look into a file do not know its name, and begin with "This". */
function named<Value>(path: string, outcome: Outcome<Value>): Outcome<Value> {
  return outcome.ok ? outcome : { ok: false, problem: `${path}: ${outcome.problem}` };
}
