import { describe, expect, it } from 'vitest';
import { VoiceModel } from '../../../../../electron/audio/detection/voice-model.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { noiseKinds, createNoise } from '../../../../fakes/noises.ts';
import {
  scaledToDb,
  noiseFor,
  areaUnderRoc,
  spokenScene,
  stepSamples,
  withNoise,
} from '../../../../fakes/spoken-scene.ts';

/** The likelihood of each step of 10 ms. */
function likelihoods(sound: Float32Array): readonly number[] {
  const model = new VoiceModel();
  const values: number[] = [];
  for (let from = 0; from + stepSamples <= sound.length; from += stepSamples) {
    model.push(sound.subarray(from, from + stepSamples));
    values.push(model.likelihood);
  }
  return values;
}

const scene = spokenScene();

/** The required area under the ROC curve for each noise, at the worst of 20, 10, 5 and 0 dB. */
const minAreas = {
  white: 0.93,
  pink: 0.88,
  hum: 0.96,
  fan: 0.87,
  keyboard: 0.96,
  cough: 0.94,
  music: 0.95,
  // Six talkers are voices too; only level tells which one is meant.
  babble: 0.75,
} as const;

describe('Chinese and English speech in voices that the model was not trained with', () => {
  it('ranks above noise in 95 % of pairs over all noises', () => {
    const all: number[] = [];
    const speaks: boolean[] = [];
    for (const kind of [...noiseKinds, 'babble'] as const) {
      const noise = noiseFor(scene, kind);
      const areas = [20, 10, 5, 0].map((snrDb) => {
        const values = likelihoods(withNoise(scene, noise, snrDb));
        all.push(...values);
        speaks.push(...scene.speaks.slice(0, values.length));
        return areaUnderRoc(values, scene.speaks);
      });
      expect(Math.min(...areas), `${kind}: ${areas.join(' ')}`).toBeGreaterThan(minAreas[kind]);
    }
    expect(areaUnderRoc(all, speaks)).toBeGreaterThan(0.95);
  });

  it.each([-15, -35, -44, -50])('is detected at %i dBFS as well', (db) => {
    expect(areaUnderRoc(likelihoods(spokenScene({ db }).sound), scene.speaks)).toBeGreaterThan(
      0.97,
    );
  });

  it.each(noiseKinds)('is detected in less than 6 % of noise: %s', (kind) => {
    const values = likelihoods(scaledToDb(createNoise(kind, 20 * inputRate, 3), -45));
    expect(values.filter((likelihood) => likelihood > 0.6).length / values.length).toBeLessThan(
      0.06,
    );
  });
});
