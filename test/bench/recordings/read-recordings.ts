import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { levelDb } from '../../../electron/audio/dsp/loudness.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { soundFromWav } from '../../../electron/audio/dsp/sound-from-wav.ts';

/** 10 ms, the unit of judging. */
export const step = inputRate / 100;
export const noiseClasses = ['animals', 'things', 'music', 'babble'] as const;
export type NoiseClass = (typeof noiseClasses)[number];

/** A voice with a second of silence on both sides. */
export interface Clip {
  readonly name: string;
  readonly sound: Float32Array;
  /** Per step: speech, no speech, or undefined (unclear, and not judged). */
  readonly speaks: readonly (boolean | undefined)[];
  readonly voicedDb: number;
}

export interface Recordings {
  readonly clips: readonly Clip[];
  readonly noises: Readonly<Record<NoiseClass, readonly Float32Array[]>>;
}

const loudestDb = -22;
/** Steps that are at most this far below the loudest count as speech. */
const voiceWithinDb = 20;
/** Steps that are more than this far below the loudest count as silence. Those in between are unclear. */
const noneBelowDb = 34;
const maxSeconds = 6;
const people = 6;

/** Reads `speech/*.wav` and `noise/{animals,things,music}/*.wav`; a file directly in `noise` is a thing. */
export function readRecordings(folder: string, most = Infinity): Recordings {
  const wavs = (...path: readonly string[]): readonly Float32Array[] =>
    wavsIn(join(folder, ...path)).map((file) => normalize(readSound(file)));
  const voices = wavsIn(join(folder, 'speech')).map((file) => ({
    name: basename(file, '.wav'),
    sound: normalize(readSound(file)),
  }));
  const long = voices.filter(({ sound }) => sound.length >= inputRate / 10);
  return {
    clips: evenly(long, most).map(({ name, sound }) => clipOf(name, sound)),
    noises: {
      animals: wavs('noise', 'animals'),
      things: [...wavs('noise'), ...wavs('noise', 'things')],
      music: wavs('noise', 'music'),
      babble: babble(long.map(({ sound }) => sound)),
    },
  };
}

/** Mixes noise at a level below the clip's speech steps. */
export function withNoise(
  clip: Clip,
  noise: Float32Array,
  from: number,
  snrDb: number,
): Float32Array {
  const gain = 10 ** ((clip.voicedDb - snrDb - levelDb(noise)) / 20);
  return clip.sound.map((sample, n) => sample + gain * (noise[(from + n) % noise.length] ?? 0));
}

export function measureLevel(sound: Float32Array, isMeant: (at: number) => boolean): number {
  const levels = stepLevels(sound).filter((_, at) => isMeant(at));
  const power = levels.reduce((sum, level) => sum + 10 ** (level / 10), 0) / levels.length;
  return 10 * Math.log10(power);
}

export function stepLevels(sound: Float32Array): readonly number[] {
  const count = Math.floor(sound.length / step);
  return Array.from({ length: count }, (_, at) =>
    levelDb(sound.subarray(at * step, (at + 1) * step)),
  );
}

function wavsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.wav'))
    .toSorted((one, other) => one.localeCompare(other))
    .map((file) => join(folder, file));
}

/** Selects at most this many items, evenly spaced. */
function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const every = Math.max(1, items.length / most);
  return items.filter((_, at) => Math.floor(at / every) > Math.floor((at - 1) / every));
}

/** Scales a sound so that the loudest steps of all sounds have the same level. */
function normalize(sound: Float32Array): Float32Array {
  const gain = 10 ** ((loudestDb - loudest(stepLevels(sound))) / 20);
  return sound.map((sample) => gain * sample);
}

/** The level of the loudest steps; a single click does not count. */
function loudest(levels: readonly number[]): number {
  const sorted = levels.toSorted((one, other) => one - other);
  return sorted[Math.floor(0.97 * (sorted.length - 1))] ?? -200;
}

function clipOf(name: string, voice: Float32Array): Clip {
  const part = voice.subarray(0, maxSeconds * inputRate);
  const sound = new Float32Array(part.length + 2 * inputRate);
  sound.set(part, inputRate);
  const levels = stepLevels(sound);
  const top = loudest(stepLevels(part));
  const speaks = levels.map((level) => {
    if (level > top - voiceWithinDb) return true;
    return level < top - noneBelowDb ? false : undefined;
  });
  return { name, sound, speaks, voicedDb: measureLevel(sound, (at) => speaks[at] === true) };
}

function babble(voices: readonly Float32Array[]): readonly Float32Array[] {
  const random = seeded(9);
  return Array.from({ length: 12 }, () => {
    const sound = new Float32Array(8 * inputRate);
    for (let person = 0; person < people; person += 1) {
      for (let at = 0; at < sound.length;) {
        const voice = voices[Math.floor(random() * voices.length)] ?? new Float32Array(step);
        const end = Math.min(sound.length, at + voice.length);
        for (let n = at; n < end; n += 1) sound[n] = (sound[n] ?? 0) + (voice[n - at] ?? 0);
        at = end + Math.floor((random() * inputRate) / 4);
      }
    }
    return sound;
  });
}

const maxFileSeconds = 600;

/** Reads a recording as microphone input: 16 kHz, mono. ffmpeg reads formats other than WAV. */
export function readSound(path: string): Float32Array {
  if (path.endsWith('.wav')) {
    const sound = soundFromWav(readFileSync(path), inputRate, maxFileSeconds);
    if (!sound.ok) throw new Error(`${path} cannot be read: ${sound.error.code}.`);
    return sound.value;
  }
  const asFloats = ['-f', 'f32le', '-ar', String(inputRate), '-ac', '1', '-'];
  const bytes = execFileSync('ffmpeg', ['-loglevel', 'error', '-i', path, ...asFloats], {
    maxBuffer: 4 * inputRate * maxFileSeconds,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
