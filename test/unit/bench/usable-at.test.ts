import { describe, expect, it } from 'vitest';
import { judgeLaunch } from '../../bench/launch/watch-launch.ts';

const size = { width: 20, height: 10 };
const [empty, paper, ink] = [0, 0xff_f5_f6_f7, 0xff_10_10_10];

/** A window of ten by ten, of which so many pixels are written on. */
function screen(written: number, shown = true) {
  const words = new Uint32Array(size.width * size.height).fill(empty);
  let left = written;
  for (let y = 0; y < (shown ? 10 : 0); y += 1)
    for (let x = 5; x < 15; x += 1) {
      words[y * size.width + x] = left > 0 ? ink : paper;
      left -= 1;
    }
  return { ...size, pixels: Buffer.from(words.buffer) };
}

describe('when a window can be used, as its screen shows it', () => {
  it('is the time at which nine tenths of the final pixels are drawn, not the time the window opens', () => {
    const seen = [
      { at: 100, picture: screen(0) },
      { at: 120, picture: screen(20) },
      { at: 140, picture: screen(36) },
      { at: 160, picture: screen(40) },
    ];
    expect(judgeLaunch(screen(0, false), seen)).toEqual({ shownAt: 100, usableAt: 140, ink: 40 });
  });

  it('throws for a window that stays empty, and for no window', () => {
    const stays = [{ at: 100, picture: screen(0) }];
    expect(() => judgeLaunch(screen(0, false), stays)).toThrow('stayed empty');
    expect(() => judgeLaunch(screen(0, false), [])).toThrow('No window');
  });
});
