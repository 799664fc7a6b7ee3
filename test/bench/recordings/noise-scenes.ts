import { join } from 'node:path';
import { CaptureEnhancement } from '../../../electron/audio/enhance/capture-enhancement.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { EnhancementStrength } from '../../../shared/settings/audio-settings.ts';
import { seeded } from '../../fakes/seeded.ts';
import { readSound } from './read-sound.ts';
import {
  type Clip,
  evenly,
  measureLevel,
  type NoiseClass,
  noiseClasses,
  type Recordings,
  step,
  withNoise,
} from './recorded-scenes.ts';

/** The input for each candidate; `name` is its file name. */
export interface NoiseScene {
  readonly name: string;
  readonly clip: Clip;
  readonly kind: NoiseClass | 'clean';
  readonly snrDb: number;
  readonly sound: Float32Array;
}

/** A continuous speaker at one loudness. */
export interface LevelScene {
  readonly name: string;
  readonly wantedDb: number;
  readonly sound: Float32Array;
  readonly speaks: readonly boolean[];
}

export const snrs = [20, 10, 5, 0] as const;
/** Speech levels at a microphone, in dBFS. */
export const loudnesses = [-46, -41, -36, -31, -26, -21, -16] as const;
/** Level of the room below speech at a close microphone. */
const roomBelowDb = 35;
const personSeconds = 20;
const maxPeople = 6;

/** A prompt voice's recordings include beeps, which are not speech. */
const noVoice = /beep/u;

/** Each voice alone, and with noise of each class at each level. */
export function* noiseScenes({ clips: all, noises }: Recordings): Generator<NoiseScene> {
  const clips = all.filter(({ name }) => !noVoice.test(name));
  for (const clip of clips)
    yield { name: `clean-${clip.name}`, clip, kind: 'clean', snrDb: Infinity, sound: clip.sound };
  for (const kind of noiseClasses) {
    for (const snrDb of snrs) {
      for (const clip of clips) {
        const random = seeded(seedFromName(`${kind}-${snrDb}-${clip.name}`));
        const noise = noises[kind][Math.floor(random() * noises[kind].length)];
        if (noise === undefined)
          throw new Error(`The recordings have no noise of the kind ${kind}.`);
        const mixed = withNoise(clip, noise, Math.floor(random() * noise.length), snrDb);
        const sound = mixed.map((sample) => Math.max(-1, Math.min(1, sample)));
        yield { name: `${kind}-${snrDb}-${clip.name}`, clip, kind, snrDb, sound };
      }
    }
  }
}

/** A seed from the name, so that a scene does not depend on the others. */
function seedFromName(name: string): number {
  let number = 0;
  for (let n = 0; n < name.length; n += 1)
    number = (Math.imul(number, 31) + name.charCodeAt(n)) >>> 0;
  return number;
}

/** Up to six speakers at every loudness: clips of one reader or language in sequence, in a quiet room. */
export function* levelScenes({ clips }: Recordings): Generator<LevelScene> {
  const people = new Map<string, Clip[]>();
  for (const clip of clips.filter(({ name }) => !noVoice.test(name))) {
    const person = clip.name
      .split('-')
      .slice(0, 2)
      .join('-')
      .replace(/^lv-.*$/u, 'lv');
    people.set(person, [...(people.get(person) ?? []), clip]);
  }
  const random = seeded(5);
  for (const [person, own] of evenly([...people], maxPeople)) {
    const voice = continuousSpeech(own);
    for (const wantedDb of loudnesses) {
      const gain = 10 ** ((wantedDb - voice.voicedDb) / 20);
      const room = 1.7 * 10 ** ((wantedDb - roomBelowDb) / 20);
      const sound = voice.sound.map((sample) => {
        const heard = gain * sample + room * (2 * random() - 1);
        return Math.max(-1, Math.min(1, heard));
      });
      yield { name: `level${wantedDb}-${person}`, wantedDb, sound, speaks: voice.speaks };
    }
  }
}

function continuousSpeech(clips: readonly Clip[]): {
  readonly sound: Float32Array;
  readonly speaks: readonly boolean[];
  readonly voicedDb: number;
} {
  const sound = new Float32Array(personSeconds * inputRate);
  const speaks: boolean[] = Array.from({ length: sound.length / step }, () => false);
  // Keeps half a second of silence before each clip, and none after it.
  const silence = inputRate / 2;
  for (let at = 0, n = 0; at < sound.length; n += 1) {
    const clip = clips[n % clips.length];
    if (clip === undefined) break;
    const part = clip.sound.subarray(silence, clip.sound.length - 2 * silence);
    const count = Math.min(part.length, sound.length - at);
    const steps = Math.floor(count / step);
    sound.set(part.subarray(0, steps * step), at);
    for (let one = 0; one < steps; one += 1)
      speaks[at / step + one] = clip.speaks[silence / step + one] === true;
    at += Math.max(step, steps * step);
  }
  return { sound, speaks, voicedDb: measureLevel(sound, (at) => speaks[at] === true) };
}

/** A noise reducer or level control to judge. */
export interface Candidate {
  readonly name: string;
  readonly apply: (scene: string, sound: Float32Array) => Float32Array;
}

/** The product's strengths, in the order of judging. */
const strengths = ['gentle', 'strong'] as const;

export function noiseCandidates(others: readonly string[]): readonly Candidate[] {
  return [nothing, ...strengths.map((noise) => own(noise, 'off')), ...others.map(fromFolder)];
}

export function levelCandidates(others: readonly string[]): readonly Candidate[] {
  return [nothing, ...strengths.map((level) => own('off', level)), ...others.map(fromFolder)];
}

const nothing: Candidate = { name: 'nothing', apply: (_, sound) => sound };

function own(noise: EnhancementStrength, level: EnhancementStrength): Candidate {
  const name = `Parley ${noise === 'off' ? level : noise}`;
  return {
    name,
    apply: (_, sound) => {
      const enhancement = new CaptureEnhancement(() => ({ noise, level }));
      const output = sound.slice();
      for (let at = 0; at < output.length; at += step)
        enhancement.process(output.subarray(at, at + step));
      return output;
    },
  };
}

/** NAME=FOLDER: another processor's outputs for scenes written earlier. */
function fromFolder(other: string): Candidate {
  const [name = '', folder] = other.split('=');
  if (folder === undefined) throw new Error(`Say ${other}=FOLDER, with its sounds in it.`);
  return {
    name,
    apply: (scene, sound) => {
      const read = readSound(join(folder, `${scene}.wav`));
      const output = new Float32Array(sound.length);
      output.set(read.subarray(0, sound.length));
      return output;
    },
  };
}
