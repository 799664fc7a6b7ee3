import { expect, it } from 'vitest';
import { createSpeakerPlayback } from '../../../../electron/audio/speaker-playback.ts';
import { seeded } from '../../../fakes/seeded.ts';

/** A speaker that hears itself out when it is told to, and is a little late with a flush. */
function open() {
  const file: number[] = [];
  const state = { heard: 100, queued: 0, late: 0 };
  const playback = createSpeakerPlayback({
    rate: 1000,
    heard: (samples) => file.push(...samples),
    speaker: {
      write: (samples) => {
        state.queued += samples.length;
      },
      flush: () => {
        const late = Math.min(state.late, state.queued);
        const dropped = state.queued - late;
        state.queued = late;
        return { heard: state.heard + late, dropped };
      },
      heard: () => state.heard,
    },
  });
  const play = (count: number): void => {
    const now = Math.min(count, state.queued);
    state.heard += now;
    state.queued -= now;
  };
  return { playback, file, state, play };
}

const counting = (from: number, length: number) =>
  Float32Array.from({ length }, (_, n) => from + n);

it('follows the device, with silence before and after but none within', () => {
  const { playback, file, play } = open();
  playback.advanceTo(50);
  playback.write(counting(1, 200), 1);
  playback.advanceTo(90);
  expect([playback.playhead, playback.drained]).toEqual([0, false]);
  // The two clocks differ: 200 samples take 214 ms.
  for (const [time, count] of [
    [140, 45],
    [190, 47],
    [240, 46],
    [290, 62],
  ] as const) {
    play(count);
    playback.advanceTo(time);
  }
  playback.advanceTo(400);
  const silence = (length: number) => Array.from({ length }, () => 0);
  expect(file.slice(0, 90)).toEqual(silence(90));
  expect(file.slice(90, 290)).toEqual([...counting(1, 200)]);
  expect(file.slice(290)).toEqual(silence(110));
  expect([playback.playhead, playback.drained]).toEqual([200, true]);
});

it('cuts where the device really stopped', () => {
  const { playback, file, state, play } = open();
  playback.write(counting(1, 100), 1);
  playback.write(counting(101, 100), 2);
  play(30);
  playback.advanceTo(30);
  state.late = 5;
  expect(playback.waitingTurns).toEqual([1, 2]);
  expect(playback.flush()).toBe(165);
  expect([playback.reachOf(1), playback.reachOf(2), playback.queued]).toEqual([35, 0, 5]);
  play(5);
  playback.advanceTo(60);
  expect(file.filter((sample) => sample !== 0)).toEqual([...counting(1, 35)]);
  expect(playback.drained).toBe(true);
});

it('keeps everything in order and to its length, whatever the device does', () => {
  const random = seeded(5);
  const { playback, file, play } = open();
  let next = 1;
  let time = 0;
  for (let step = 0; step < 500; step += 1) {
    if (random() < 0.2) {
      const length = Math.floor(random() * 300);
      playback.write(counting(next, length), step);
      next += length;
    }
    const passed = Math.floor(random() * 50);
    time += passed;
    play(Math.floor(passed * random() * 1.2));
    playback.advanceTo(time);
  }
  expect(file.filter((sample) => sample !== 0)).toEqual([...counting(1, playback.playhead)]);
  expect(playback.playhead + playback.queued).toBe(next - 1);
  expect(file.length).toBeGreaterThan(time - 101);
});
