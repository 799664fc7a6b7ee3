import { describe, expect, it } from 'vitest';
import { VoiceModel } from '../../../../../electron/audio/detection/voice-model.ts';
import { spokenScene, stepSamples } from '../../../../fakes/spoken-scene.ts';

const { sound, speaks } = spokenScene({ count: 1, first: 1 });

function hears(model: VoiceModel, block: Float32Array): number {
  model.push(block);
  return model.likelihood;
}

describe('VoiceModel', () => {
  it('detects a voice within 80 ms, and its end within 300 ms', () => {
    const model = new VoiceModel();
    const said = speaks.map((_, step) =>
      hears(model, sound.subarray(step * stepSamples, (step + 1) * stepSamples)),
    );
    const begins = speaks.indexOf(true);
    expect(said.slice(0, begins).every((likelihood) => likelihood < 0.5)).toBe(true);
    expect(said.slice(begins, begins + 8).some((likelihood) => likelihood > 0.6)).toBe(true);
    for (let n = 0; n < 30; n += 1) model.push(new Float32Array(stepSamples));
    expect(model.likelihood).toBeLessThan(0.3);
  });

  it('gives the same results for any block size', () => {
    const [atOnce, pieces] = [new VoiceModel(), new VoiceModel()];
    const part = sound.subarray(0, 20_000 - (20_000 % stepSamples));
    atOnce.push(part);
    for (let from = 0; from < part.length; from += 37) pieces.push(part.subarray(from, from + 37));
    expect(pieces.likelihood).toBe(atOnce.likelihood);
    expect(pieces.isStepComplete).toBe(true);
    expect(pieces.missingSamples).toBe(stepSamples);
  });

  it('discards its state at a gap', () => {
    const model = new VoiceModel();
    model.push(sound);
    model.reset();
    expect(model.likelihood).toBe(0);
    const fresh = new VoiceModel();
    expect(hears(model, sound.subarray(0, 1600))).toBe(hears(fresh, sound.subarray(0, 1600)));
  });

  it.each([
    ['digital silence', new Float32Array(16_000)],
    ['a constant', new Float32Array(16_000).fill(0.5)],
    [
      'far beyond full scale',
      Float32Array.from({ length: 16_000 }, (_, n) => (n % 2 ? 100 : -100)),
    ],
  ])('makes a number and no voice of %s', (_, block) => {
    expect(hears(new VoiceModel(), block)).toBeLessThan(0.6);
  });
});
