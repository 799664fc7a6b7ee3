import { expect, it } from 'vitest';
import { createAdaptivePlayback } from '../../../../electron/audio/adaptive-playback.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { PlaybackStage, rate, toneStep } from './playback-stage.ts';

/** A speaker that hears itself out when it is told to, and is a little late with a flush. */
function open() {
  const file: number[] = [];
  const state = { heard: 100, queued: 0, late: 0 };
  const playback = createAdaptivePlayback({
    rate: 1000,
    clock: new FakeClock(),
    stepMs: 1000,
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
      queued: () => state.queued,
      setDip: () => undefined,
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
  playback.turnEnded(1);
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
  playback.turnEnded(2);
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

it('counts what it holds back among what a flush keeps from being heard', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(300), 1);
  stage.pass(50);
  expect([stage.speaker.queued(), stage.playback.queued]).toEqual([0, 0.3 * rate]);
  expect(stage.playback.figures().bufferMs).toBe(300);
  expect(stage.playback.flush()).toBe(0.3 * rate);
  stage.pass(2000);
  expect([stage.speaker.written, stage.playback.playhead]).toEqual([0, 0]);
});

it('starts a turn that is all there at once, and a long sound as well', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(300), 1);
  stage.playback.turnEnded(1);
  expect(stage.speaker.written).toBe(0.3 * rate);
  stage.playback.write(stage.tone(30_000), 2);
  expect(stage.speaker.written).toBe(30.3 * rate);
  expect(stage.playback.figures().startDelayMs).toBe(0);
  stage.pass(31_000);
  expect([stage.playback.drained, stage.playback.playhead]).toEqual([true, 30.3 * rate]);
  expect(stage.playback.figures().insertedSamples).toBe(0);
});

it('does not hold back a server that is faster than real time', () => {
  const stage = new PlaybackStage();
  const quick = Array.from({ length: 10 }, (_, n) => ({ at: n * 60, ms: 250 }));
  stage.turn(1, quick);
  // It cannot be known before it is seen; but as soon as a step's worth is there, it starts.
  expect(stage.playback.figures().startDelayMs).toBeLessThan(300);
  for (let turn = 2; turn < 5; turn += 1) {
    stage.pass(3000);
    stage.turn(turn, quick);
  }
  expect(stage.playback.figures().startDelayMs).toBeLessThan(100);
  expect(stage.silences(0).filter((ms) => ms < 500)).toEqual([]);
});

it('plays on to the last sample without waiting or making anything up', () => {
  const stage = new PlaybackStage();
  stage.turn(1, [
    { at: 0, ms: 1000 },
    { at: 1000, ms: 500 },
  ]);
  stage.pass(2000);
  const { concealedSamples, concealmentEvents } = stage.playback.figures();
  expect([concealedSamples, concealmentEvents]).toEqual([0, 0]);
  expect([stage.playback.drained, stage.playback.playhead]).toEqual([true, 1.5 * rate]);
});

it('goes on with the sound when nothing has come, and dies away', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1190);
  const before = stage.speaker.output.length;
  stage.pass(600);
  const { concealedSamples, concealmentEvents, gapsOver20Ms } = stage.playback.figures();
  expect([concealmentEvents, gapsOver20Ms]).toEqual([1, 0]);
  expect(concealedSamples).toBeGreaterThan(0.08 * rate);
  expect(concealedSamples).toBeLessThan(0.19 * rate);
  expect(stage.playback.playhead).toBe(1.2 * rate);
  expect(stage.speaker.output.slice(before + 0.2 * rate).every((sample) => sample === 0)).toBe(
    true,
  );
  stage.playback.write(stage.tone(500), 1);
  stage.playback.turnEnded(1);
  stage.pass(700);
  expect(stage.playback.figures().gapsOver20Ms).toBe(1);
  expect(stage.playback.playhead).toBe(1.7 * rate);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
  // The file has the answer and nothing that was made up.
  expect(stage.file.filter((sample) => sample !== 0).length).toBeGreaterThan(1.65 * rate);
});

it('leads what is a little late into what it went on with, without a gap', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1260);
  stage.playback.write(stage.tone(1000), 1);
  stage.playback.turnEnded(1);
  stage.pass(1500);
  expect(stage.silences(0)).toEqual([]);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
  const { concealmentEvents, gapsOver20Ms } = stage.playback.figures();
  expect([concealmentEvents, gapsOver20Ms]).toEqual([1, 0]);
});

it('lets the waves run alike before it joins them: they would cancel out', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1230);
  // Half a period is left out: what was made up and what comes are opposed.
  stage.tone(2.5);
  stage.playback.write(stage.tone(1000), 1);
  stage.playback.turnEnded(1);
  stage.pass(1500);
  const { output } = stage.speaker;
  const powers = Array.from({ length: 30 }, (_, n) => {
    const window = output.slice((1.15 + n * 0.005) * rate, (1.155 + n * 0.005) * rate);
    return Math.sqrt(window.reduce((sum, sample) => sum + sample ** 2, 0) / window.length);
  });
  expect(Math.min(...powers)).toBeGreaterThan(0.25);
});

it('joins softly what fits in no way', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1230);
  stage.playback.write(new Float32Array(rate).fill(0.4), 1);
  const before = stage.speaker.output.length;
  stage.pass(300);
  const joined = stage.speaker.output.slice(before - 0.1 * rate);
  const steps = joined.slice(1).map((sample, n) => Math.abs(sample - (joined[n] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(1.3 * toneStep);
  expect(stage.playback.flush()).toBeGreaterThan(0);
});

it('ends softly what it made up where another turn begins with a bang', () => {
  const stage = new PlaybackStage();
  // It ends at the top of a wave.
  stage.playback.write(stage.tone(1201.25), 1);
  stage.pass(1190);
  expect(stage.playback.figures().concealmentEvents).toBe(1);
  stage.playback.turnEnded(1);
  stage.playback.write(new Float32Array(1.5 * rate).fill(0.4), 2);
  stage.pass(200);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
  stage.playback.flush();
});

it('leaves no holes in the file for what it made up in between', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1260);
  for (let late = 0; late < 6; late += 1) {
    stage.playback.write(stage.tone(300), 1);
    stage.pass(360);
  }
  stage.playback.turnEnded(1);
  stage.pass(1000);
  expect(stage.playback.figures().concealedSamples).toBeGreaterThan(0.25 * rate);
  const first = stage.file.findIndex((sample) => sample !== 0);
  const last = stage.file.findLastIndex((sample) => sample !== 0);
  const answer = stage.file.slice(first, last + 1);
  const silent = answer.filter((sample, n) => sample === 0 && answer[n + 1] === 0);
  expect(silent.length).toBe(0);
  // And yet the time line is made up for once it is over.
  expect(stage.file.length).toBeGreaterThan(stage.clock.now() * (rate / 1000) - 2);
});

it('ends what it made up when the turn turns out to be over', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1190);
  stage.playback.turnEnded(1);
  stage.pass(500);
  expect(stage.playback.figures().concealedSamples).toBeLessThan(0.06 * rate);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
});

it('gives the speaker a stretched piece at once, or it could run dry between its parts', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1050), 1);
  stage.pass(150);
  expect(stage.playback.figures().insertedSamples).toBeGreaterThan(0);
  expect(stage.speaker.writes).toBe(1);
  stage.playback.flush();
});

it('starts anew after a flush', () => {
  const stage = new PlaybackStage();
  stage.turn(1, [{ at: 0, ms: 2000 }]);
  stage.pass(500);
  expect(stage.playback.flush()).toBeGreaterThan(1.4 * rate);
  stage.pass(200);
  const heard = stage.playback.playhead;
  stage.turn(2, [{ at: 0, ms: 1000 }]);
  stage.pass(1200);
  expect(stage.playback.playhead).toBe(heard + rate);
  expect(stage.playback.figures().gapsOver20Ms).toBe(0);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
});

it('dips without touching the volume, in steps nobody hears', () => {
  const stage = new PlaybackStage();
  stage.playback.setDipped(true);
  stage.pass(50);
  const { dips } = stage.speaker;
  expect(dips.length).toBe(8);
  expect(dips.at(-1)).toBe(0.25);
  stage.playback.setDipped(true);
  stage.playback.setDipped(false);
  stage.pass(20);
  const before = dips.length;
  stage.playback.setDipped(true);
  stage.pass(5);
  expect(dips.length - before).toBe(2);
  stage.pass(60);
  expect(dips.at(-1)).toBe(0.25);
  stage.playback.setDipped(false);
  stage.pass(60);
  expect(dips.at(-1)).toBe(1);
  const steps = dips.slice(1).map((gain, n) => Math.abs(gain - (dips[n] ?? 1)));
  expect(Math.max(...steps)).toBeLessThan(0.1);
});
