import { describe, expect, it } from 'vitest';
import { openVoiceActivityDetector } from '../../../../electron/gateway/persona.ts';
import { silence, voice } from './gateway-client.ts';

describe('the voice activity detector', () => {
  it('adapts to a noisy room and back to a quiet one', () => {
    const detector = openVoiceActivityDetector();
    const hum = new Float32Array(16_000).map((_, at) => Math.sin(at / 20) * 0.03);
    for (let second = 0; second < 40; second += 1) detector.push(hum);
    detector.reset();
    detector.push(hum);
    expect(detector.speechMs).toBe(0);
    for (let second = 0; second < 3; second += 1) detector.push(silence(1000));
    detector.push(hum);
    expect(detector.speechMs).toBe(1000);
  });

  it('treats NaN as silence', () => {
    const detector = openVoiceActivityDetector();
    detector.push(new Float32Array(16_000).fill(Number.NaN));
    detector.push(new Float32Array(16_000).fill(Number.POSITIVE_INFINITY));
    expect(detector.speechMs).toBe(0);
    detector.push(voice(500));
    expect(detector.speechMs).toBe(500);
    expect(detector.silenceMs).toBe(0);
  });
});
