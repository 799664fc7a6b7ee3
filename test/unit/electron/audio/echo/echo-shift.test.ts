import { describe, expect, it } from 'vitest';
import { EchoShiftEstimator } from '../../../../../electron/audio/echo/echo-delay.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const block = 160;
const blocks = 45;

/** The measured shift of an echo mixed with other sound. */
function found(later: number, other: number, samples = 3200): number | undefined {
  const random = seeded(7);
  const noise = (): number => random() * 2 - 1;
  const sound = Float32Array.from({ length: blocks * block + 4000 }, noise);
  const shift = new EchoShiftEstimator();
  for (let from = 2000; from < 2000 + blocks * block; from += block) {
    const captured = Float32Array.from({ length: block }, (_, n) => {
      return 0.1 * (sound[from + n - later] ?? 0) + other * noise();
    });
    shift.push(captured, sound.subarray(from, from + block));
  }
  return shift.find(samples);
}

describe('EchoShiftEstimator', () => {
  it.each([0, 5, 160, 1500, -5, -320, -600])('finds an echo %d samples later', (later) => {
    expect(found(later, 0)).toBeCloseTo(later, 1);
    expect(found(later, 0.1)).toBeCloseTo(later, 1);
  });

  it('finds nothing without an echo', () => {
    expect(found(0, 3)).toBeUndefined();
    expect(found(5000, 0.1)).toBeUndefined();
  });

  it('searches only the sound that it has', () => {
    expect(new EchoShiftEstimator().find(3200)).toBeUndefined();
    const shift = new EchoShiftEstimator();
    shift.push(new Float32Array(block).fill(0.1), new Float32Array(block));
    expect(shift.find(3200)).toBeUndefined();
  });
});
