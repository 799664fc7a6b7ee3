import { describe, expect, it } from 'vitest';
import { VoiceDetector } from '../../../../../electron/audio/detection/voice-detector.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';

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

  it('detects nothing after a reset', () => {
    const detector = new VoiceDetector(inputRate);
    after(detector, 3, 0.1, 0.9);
    detector.reset();
    expect(detector.isSpeaking).toBe(false);
    // The likelihood of the former stretch does not count.
    expect(after(detector, 4, 0.1, 0.1)).toBe(false);
  });
});
