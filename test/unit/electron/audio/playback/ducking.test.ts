import { expect, it } from 'vitest';
import { Ducking } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

function ducked() {
  const clock = new FakeClock();
  const gains: number[] = [];
  const ducking = new Ducking(clock, { setDuckGain: (gain) => void gains.push(gain) });
  ducking.set(true);
  clock.advance(1000);
  return { clock, gains, ducking };
}

it('ducking lowers the volume within 40 ms and raises it again, in steps', () => {
  const { clock, gains, ducking } = ducked();
  expect([gains.length, gains.at(-1)]).toEqual([8, 0.25]);
  ducking.set(false);
  clock.advance(20);
  expect(gains.at(-1)).toBeCloseTo(0.25 + 5 * 0.09375);
  clock.advance(20);
  expect(gains.at(-1)).toBe(1);
});

it('ducking raises the volume at once during silence, without a timer', () => {
  const { clock, gains, ducking } = ducked();
  ducking.set(false, true);
  expect(gains.at(-1)).toBe(1);
  const gainCount = gains.length;
  clock.advance(1000);
  expect(gains).toHaveLength(gainCount);
});

it('ducking ignores a repeated request', () => {
  const { clock, gains, ducking } = ducked();
  ducking.set(true);
  ducking.set(true, true);
  expect(gains).toHaveLength(8);
  ducking.set(false);
  clock.advance(12);
  const gainCount = gains.length;
  ducking.set(false);
  expect(gains).toHaveLength(gainCount);
  clock.advance(28);
  expect([gains.length, gains.at(-1)]).toEqual([16, 1]);
});

it('ducking reaches the goal at once when playback falls silent', () => {
  const { clock, gains, ducking } = ducked();
  ducking.set(false);
  clock.advance(10);
  ducking.set(false, true);
  expect(gains.at(-1)).toBe(1);
  const gainCount = gains.length;
  clock.advance(1000);
  expect(gains).toHaveLength(gainCount);
});
