import { describe, expect, it } from 'vitest';
import { VoiceDetector } from '../../../../../electron/audio/detection/voice-detector.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';

const block = (level: number): Float32Array => new Float32Array(inputRate / 50).fill(level);

/** Whether somebody speaks after so many blocks of 20 ms. */
function after(detector: VoiceDetector, count: number, level: number, voice?: number): boolean {
  for (let n = 0; n < count; n += 1) detector.push(block(level), voice);
  return detector.speaks;
}

describe('somebody speaks', () => {
  it('by level, where there is nobody to ask', () => {
    const detector = new VoiceDetector(inputRate);
    expect(after(detector, 4, 0.01)).toBe(false);
    expect(after(detector, 4, 0.05)).toBe(true);
    expect(after(detector, 20, 0)).toBe(true);
    expect(after(detector, 2, 0)).toBe(false);
  });

  it('by what the microphone’s model says, however soft it is', () => {
    const detector = new VoiceDetector(inputRate);
    expect(after(detector, 4, 0.5, 0.2)).toBe(false);
    expect(after(detector, 2, 0.002, 0.9)).toBe(true);
    expect(after(detector, 22, 0.5, 0.2)).toBe(false);
  });

  it('only where something of it is let through', () => {
    const detector = new VoiceDetector(inputRate);
    expect(after(detector, 10, 0, 0.9)).toBe(false);
  });

  it('no more once there is nothing to hear', () => {
    const detector = new VoiceDetector(inputRate);
    after(detector, 3, 0.1, 0.9);
    detector.stop();
    expect(detector.speaks).toBe(false);
    // A voice of before is none of the new stretch's.
    expect(after(detector, 4, 0.1, 0.1)).toBe(false);
  });
});
