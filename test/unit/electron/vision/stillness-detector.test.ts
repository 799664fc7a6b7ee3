import { describe, expect, it } from 'vitest';
import { StillnessDetector } from '../../../../electron/vision/frame-pipeline.ts';
import { seeded } from '../../../fakes/seeded.ts';

const plain = (grey: number) => new Uint8Array(256).fill(grey);

function after(sent: Uint8Array): StillnessDetector {
  const stillness = new StillnessDetector();
  stillness.recordSent(sent, 0);
  return stillness;
}

describe('stillness', () => {
  it('is not assumed before the first frame', () => {
    expect(new StillnessDetector().isStill(plain(9), 0)).toBe(false);
  });

  it('ignores noise', () => {
    const random = seeded(1);
    const noisy = plain(100).map((grey) => grey + Math.round(random() * 6 - 3));
    expect(after(plain(100)).isStill(noisy, 1000)).toBe(true);
  });

  it('ends when a small object moves', () => {
    const moved = plain(100);
    moved[77] = 120;
    expect(after(plain(100)).isStill(moved, 1000)).toBe(false);
  });

  it('ends with a change of light', () => {
    expect(after(plain(100)).isStill(plain(103), 1000)).toBe(false);
  });

  it('ends with a slow drift, measured from the last frame sent', () => {
    const stillness = after(plain(100));
    expect(stillness.isStill(plain(101), 1000)).toBe(true);
    expect(stillness.isStill(plain(102), 2000)).toBe(true);
    expect(stillness.isStill(plain(103), 3000)).toBe(false);
  });

  it('lasts five seconds at most', () => {
    expect(after(plain(100)).isStill(plain(100), 4999)).toBe(true);
    expect(after(plain(100)).isStill(plain(100), 5000)).toBe(false);
  });
});
