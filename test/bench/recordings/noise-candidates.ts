import { join } from 'node:path';
import { CaptureEnhancement } from '../../../electron/audio/enhance/capture-enhancement.ts';
import type { EnhancementStrength } from '../../../shared/settings/audio-settings.ts';
import { readSound } from './read-sound.ts';
import { step } from './recorded-scenes.ts';

/** A noise reducer or level control to judge. */
export interface Candidate {
  readonly name: string;
  readonly hear: (scene: string, sound: Float32Array) => Float32Array;
}

/** The product's strengths, in the order of judging. */
const strengths = ['gentle', 'strong'] as const;

export function noiseCandidates(others: readonly string[]): readonly Candidate[] {
  return [nothing, ...strengths.map((noise) => own(noise, 'off')), ...others.map(fromFolder)];
}

export function levelCandidates(others: readonly string[]): readonly Candidate[] {
  return [nothing, ...strengths.map((level) => own('off', level)), ...others.map(fromFolder)];
}

const nothing: Candidate = { name: 'nothing', hear: (_, sound) => sound };

function own(noise: EnhancementStrength, level: EnhancementStrength): Candidate {
  const name = `Parley ${noise === 'off' ? level : noise}`;
  return {
    name,
    hear: (_, sound) => {
      const stage = new CaptureEnhancement(() => ({ noise, level }));
      const made = sound.slice();
      for (let at = 0; at < made.length; at += step) stage.process(made.subarray(at, at + step));
      return made;
    },
  };
}

/** NAME=FOLDER: another processor's outputs for scenes written earlier. */
function fromFolder(other: string): Candidate {
  const [name = '', folder] = other.split('=');
  if (folder === undefined) throw new Error(`Say ${other}=FOLDER, with its sounds in it.`);
  return {
    name,
    hear: (scene, sound) => {
      const read = readSound(join(folder, `${scene}.wav`));
      const made = new Float32Array(sound.length);
      made.set(read.subarray(0, sound.length));
      return made;
    },
  };
}
