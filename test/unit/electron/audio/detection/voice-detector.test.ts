import { describe, expect, it } from 'vitest';
import { VoiceDetector } from '../../../../../electron/audio/detection/voice-detector.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { VoiceModel } from '../../../../../electron/audio/detection/voice-model.ts';
import { spokenScene, stepSamples } from '../../../../fakes/spoken-scene.ts';

const blockOf = (level: number): Float32Array => new Float32Array(inputRate / 50).fill(level);

/** Whether it detects speech after `count` blocks of 20 ms. */
function after(detector: VoiceDetector, count: number, level: number, voice?: number): boolean {
  for (let n = 0; n < count; n += 1) detector.push(blockOf(level), voice);
  return detector.isSpeaking;
}

describe('VoiceDetector', () => {
  it('detects speech by level without a model', () => {
    const detector = new VoiceDetector(inputRate);
    expect(after(detector, 4, 0.01)).toBe(false);
    expect(after(detector, 4, 0.05)).toBe(true);
    expect(after(detector, 20, 0)).toBe(true);
    expect(after(detector, 2, 0)).toBe(false);
  });

  it('detects quiet speech by the model’s likelihood', () => {
    const detector = new VoiceDetector(inputRate);
    expect(after(detector, 4, 0.5, 0.2)).toBe(false);
    expect(after(detector, 2, 0.002, 0.9)).toBe(true);
    expect(after(detector, 22, 0.5, 0.2)).toBe(false);
  });

  it('detects no speech in silence, regardless of the likelihood', () => {
    const detector = new VoiceDetector(inputRate);
    expect(after(detector, 10, 0, 0.9)).toBe(false);
  });
});

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
      'samples far beyond full scale',
      Float32Array.from({ length: 16_000 }, (_, n) => (n % 2 ? 100 : -100)),
    ],
  ])('returns a finite likelihood, and detects no voice, for %s', (_, block) => {
    expect(hears(new VoiceModel(), block)).toBeLessThan(0.6);
  });
});
