import { expect, it } from 'vitest';
import { JitterBuffer } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import { PlayoutBuffer } from '../../../../../electron/audio/playback/playout-buffer.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { PlaybackStage, rate, toneStep } from './playback-stage.ts';

/** A speaker whose progress the test controls, slightly late after a flush. */
function open() {
  const file: number[] = [];
  const state = { late: 0 };
  const buffer = new PlayoutBuffer();
  const playback = new JitterBuffer({
    rate: 1000,
    clock: new FakeClock(),
    stepMs: 1000,
    onHeard: (samples) => file.push(...samples),
    speaker: {
      buffer,
      send: () => {
        buffer.send(Infinity);
      },
      follow: () => undefined,
      flush: () => {
        buffer.playedTo(buffer.played + state.late);
        return { ...buffer.cut(), heard: buffer.played };
      },
      setDuckGain: () => undefined,
    },
  });
  const play = (count: number): void => {
    buffer.playedTo(buffer.heard + count);
    buffer.heardTo(buffer.heard + count);
  };
  return { playback, file, state, play };
}

const counting = (from: number, length: number) =>
  Float32Array.from({ length }, (_, n) => from + n);

it('the jitter buffer follows the device, with silence before and after but not within', () => {
  const { playback, file, play } = open();
  playback.advanceTo(50);
  playback.write(counting(1, 200), 1);
  playback.turnEnded(1);
  playback.advanceTo(90);
  expect([playback.playhead, playback.isDrained]).toEqual([0, false]);
  // The clocks differ: 200 samples take 214 ms.
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
  expect([playback.playhead, playback.isDrained]).toEqual([200, true]);
});

it('the jitter buffer cuts where the device really stopped', () => {
  const { playback, file, state, play } = open();
  playback.write(counting(1, 100), 1);
  playback.write(counting(101, 100), 2);
  playback.turnEnded(2);
  play(30);
  playback.advanceTo(30);
  state.late = 5;
  expect([playback.samplesOf(1), playback.samplesOf(2)]).toEqual([100, 100]);
  expect(playback.flush()).toBe(165);
  expect([playback.samplesOf(1), playback.samplesOf(2), playback.queued]).toEqual([35, 0, 5]);
  play(5);
  playback.advanceTo(60);
  expect(file.filter((sample) => sample !== 0)).toEqual([...counting(1, 35)]);
  expect(playback.isDrained).toBe(true);
});

it('the jitter buffer counts held-back sound as flushed', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(300), 1);
  stage.pass(50);
  expect([stage.speaker.queued(), stage.playback.queued]).toEqual([0, 0.3 * rate]);
  expect(stage.playback.stats().bufferMs).toBe(300);
  expect(stage.playback.flush()).toBe(0.3 * rate);
  stage.pass(2000);
  expect([stage.speaker.written, stage.playback.playhead]).toEqual([0, 0]);
});

it('the jitter buffer starts a complete turn or a long sound at once', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(300), 1);
  stage.playback.turnEnded(1);
  expect(stage.speaker.written).toBe(0.3 * rate);
  stage.playback.write(stage.tone(30_000), 2);
  expect(stage.speaker.written).toBe(30.3 * rate);
  expect(stage.playback.stats().startDelayMs).toBe(0);
  stage.pass(31_000);
  expect([stage.playback.isDrained, stage.playback.playhead]).toEqual([true, 30.3 * rate]);
  expect(stage.playback.stats().insertedSamples).toBe(0);
});

it('the jitter buffer does not hold back a server that is faster than real time', () => {
  const stage = new PlaybackStage();
  const quick = Array.from({ length: 10 }, (_, n) => ({ at: n * 60, ms: 250 }));
  stage.turn(1, quick);
  // The speed is unknown at first, but it starts once a step’s worth has arrived.
  expect(stage.playback.stats().startDelayMs).toBeLessThan(300);
  for (let turn = 2; turn < 5; turn += 1) {
    stage.pass(3000);
    stage.turn(turn, quick);
  }
  expect(stage.playback.stats().startDelayMs).toBeLessThan(100);
  expect(stage.silences(0).filter((ms) => ms < 500)).toEqual([]);
});

it('the jitter buffer plays the rest without waiting or concealment', () => {
  const stage = new PlaybackStage();
  stage.turn(1, [
    { at: 0, ms: 1000 },
    { at: 1000, ms: 500 },
  ]);
  stage.pass(2000);
  const { concealedSamples, concealmentEvents } = stage.playback.stats();
  expect([concealedSamples, concealmentEvents]).toEqual([0, 0]);
  expect([stage.playback.isDrained, stage.playback.playhead]).toEqual([true, 1.5 * rate]);
});

it('the jitter buffer writes a stretched piece at once, so the speaker cannot run dry between its parts', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1050), 1);
  stage.pass(150);
  expect(stage.playback.stats().insertedSamples).toBeGreaterThan(0);
  expect(stage.speaker.writes).toBe(1);
  stage.playback.flush();
});

it('the jitter buffer restarts after a flush', () => {
  const stage = new PlaybackStage();
  stage.turn(1, [{ at: 0, ms: 2000 }]);
  stage.pass(500);
  expect(stage.playback.flush()).toBeGreaterThan(1.4 * rate);
  stage.pass(200);
  const heard = stage.playback.playhead;
  stage.turn(2, [{ at: 0, ms: 1000 }]);
  stage.pass(1200);
  expect(stage.playback.playhead).toBe(heard + rate);
  expect(stage.playback.stats().gapsOver20Ms).toBe(0);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
});

it('the jitter buffer restores the volume at once when flushed while ducked, without a timer', () => {
  const stage = new PlaybackStage();
  const lowered = (): void => {
    stage.playback.write(new Float32Array(48_000).fill(0.5), 1);
    stage.playback.setDucked(true);
    stage.pass(50);
  };
  lowered();
  stage.playback.flush();
  // The last 5 ms still play.
  expect(stage.playback.isDrained).toBe(false);
  stage.playback.setDucked(false);
  const { gains } = stage.speaker;
  expect(gains.at(-1)).toBe(1);
  const gainCount = gains.length;
  stage.pass(60);
  expect(gains).toHaveLength(gainCount);
  lowered();
  stage.playback.setDucked(false);
  expect(gains.at(-1)).toBeLessThan(0.4);
  stage.pass(60);
});

it('the jitter buffer ducks in inaudible steps without changing the volume', () => {
  const stage = new PlaybackStage();
  stage.playback.write(new Float32Array(48_000).fill(0.5), 1);
  stage.playback.setDucked(true);
  stage.pass(50);
  const { gains } = stage.speaker;
  expect(gains.length).toBe(8);
  expect(gains.at(-1)).toBe(0.25);
  stage.playback.setDucked(true);
  stage.playback.setDucked(false);
  stage.pass(20);
  const before = gains.length;
  stage.playback.setDucked(true);
  stage.pass(5);
  expect(gains.length - before).toBe(2);
  stage.pass(60);
  expect(gains.at(-1)).toBe(0.25);
  stage.playback.setDucked(false);
  stage.pass(60);
  expect(gains.at(-1)).toBe(1);
  const steps = gains.slice(1).map((gain, n) => Math.abs(gain - (gains[n] ?? 1)));
  expect(Math.max(...steps)).toBeLessThan(0.1);
});
