import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { levelDb } from '../../electron/audio/dsp/loudness.ts';
import { removeEchoFromRecording } from '../../electron/audio/echo/echo-recording.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { BargeScene } from '../bench/barge/barge-scenes.ts';
import { which } from '../../scripts/lib/run.mjs';

const run = promisify(execFile);
const cache = 'node_modules/.cache/parley-recordings';
/** The exit code of the script without Debian's server. */
const unavailable = 69;

/** Fetches recordings of people and noises once. Returns their folder, or why there are none. */
export async function fetchRecordings(
  set: 'small' | 'all',
): Promise<{ readonly folder: string } | { readonly reason: string }> {
  const folder = join(cache, set);
  if (existsSync(folder)) return { folder };
  for (const program of ['bash', 'apt-get', 'ffmpeg'])
    if (which(program) === undefined) return { reason: `${program} is not installed` };
  const partial = `${folder}.part`;
  await rm(partial, { recursive: true, force: true });
  try {
    await run('bash', ['scripts/fetch-recordings.sh', partial, ...(set === 'all' ? [set] : [])]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== unavailable) throw error;
    return { reason: "Debian's server of packages cannot be reached" };
  }
  await rename(partial, folder);
  return { folder };
}

/** Change of level by the canceller, in decibels, in each 50 ms. */
export interface Cancelled {
  /** Where only an echo is heard. */
  readonly echo: readonly number[];
  /** Where a person speaks over the echo: the change of the person's own sound. */
  readonly person: readonly number[];
}

const piece = inputRate / 20;
/** The canceller's delay. */
const delaySamples = inputRate / 100;
/** The canceller gets this much of each answer to find the echo. */
const settleSamples = inputRate;
const audibleDb = -50;
/** Echo counts as alone when everything else is this much softer, … */
const aloneDb = 15;
/** … and a person counts as speaking over it when they are at most this much softer or louder. */
const softerDb = 5;
const louderDb = 10;

/** Cancels the echo of a scene, whose parts are known. */
export async function cancelScene(scene: BargeScene): Promise<Cancelled> {
  const { echo, around, played, answers, interjections } = scene;
  const microphone = echo.map((sample, n) => sample + (around[n] ?? 0));
  const clean = await removeEchoFromRecording({ microphone, played });
  const cancelled = { echo: [] as number[], person: [] as number[] };
  for (const [begins, ends] of answers)
    for (let from = begins + settleSamples; from + piece <= ends; from += piece) {
      const to = from + piece;
      const left = clean.subarray(from + delaySamples, to + delaySamples);
      const person = around.subarray(from, to);
      const echoDb = levelDb(echo.subarray(from, to));
      const personDb = levelDb(person);
      if (echoDb < audibleDb) continue;
      if (echoDb > personDb + aloneDb)
        cancelled.echo.push(levelDb(left) - levelDb(microphone.subarray(from, to)));
      const speaks = interjections.some(
        (one) => one.kind === 'person' && one.from <= from && one.to >= to,
      );
      const aboveDb = personDb - echoDb;
      if (speaks && aboveDb > -softerDb && aboveDb < louderDb)
        cancelled.person.push(20 * Math.log10(Math.max(1e-3, similarity(left, person))));
    }
  return cancelled;
}

/** The canceller has found an echo when it attenuates half a second by this much; its network alone rarely does. */
const foundDb = 30;
const halfSecond = inputRate / 2;

/**
 * Seconds of the first answer until the canceller finds its echo, which is this much later than the devices' timestamps
 * say; Infinity if it never does.
 */
export async function secondsToFind(scene: BargeScene, lateMs: number): Promise<number> {
  const { echo, played, answers } = scene;
  const [begins, ends] = answers[0] ?? [0, 0];
  const shift = Math.round((lateMs * inputRate) / 1000);
  const microphone = new Float32Array(ends + shift);
  microphone.set(echo.subarray(0, ends), shift);
  const clean = await removeEchoFromRecording({ microphone, played });
  for (let from = begins + shift; from + halfSecond <= ends; from += halfSecond / 5) {
    const heardDb = levelDb(microphone.subarray(from, from + halfSecond));
    const leftDb = levelDb(clean.subarray(from + delaySamples, from + delaySamples + halfSecond));
    if (heardDb > audibleDb && heardDb - leftDb > foundDb)
      return (from + halfSecond - begins - shift) / inputRate;
  }
  return Infinity;
}

/** The share of a sound that is left, by least squares. */
function similarity(left: Float32Array, sound: Float32Array): number {
  let product = 0;
  let power = 0;
  for (let n = 0; n < sound.length; n += 1) {
    product += (left[n] ?? 0) * (sound[n] ?? 0);
    power += (sound[n] ?? 0) ** 2;
  }
  return product / power;
}
