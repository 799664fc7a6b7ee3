import { describe, expect, it } from 'vitest';
import { EchoShift } from '../../../../../electron/audio/echo/echo-delay.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const block = 160;
const blocks = 45;

/** What is found where an echo is so many samples later than expected, beside so much of something else. */
function found(later: number, other: number, samples = 3200): number | undefined {
  const random = seeded(7);
  const noise = (): number => random() * 2 - 1;
  const sound = Float32Array.from({ length: blocks * block + 4000 }, noise);
  const shift = new EchoShift();
  for (let from = 2000; from < 2000 + blocks * block; from += block) {
    const captured = Float32Array.from({ length: block }, (_, n) => {
      return 0.1 * (sound[from + n - later] ?? 0) + other * noise();
    });
    shift.push(captured, sound.subarray(from, from + block));
  }
  return shift.find(samples);
}

describe('an echo that comes at another time', () => {
  it.each([0, 5, 160, 1500, -5, -320, -600])('is found %d samples later', (later) => {
    expect(found(later, 0)).toBeCloseTo(later, 1);
    expect(found(later, 0.1)).toBeCloseTo(later, 1);
  });

  it('is not found where nothing of it comes', () => {
    expect(found(0, 3)).toBeUndefined();
    expect(found(5000, 0.1)).toBeUndefined();
  });

  it('is not looked for in what it knows nothing of', () => {
    expect(new EchoShift().find(3200)).toBeUndefined();
    const shift = new EchoShift();
    shift.push(new Float32Array(block).fill(0.1), new Float32Array(block));
    expect(shift.find(3200)).toBeUndefined();
  });
});
