import { expect, it } from 'vitest';
import { PlaybackStage, rate, toneStep } from './playback-stage.ts';

it('the jitter buffer conceals a gap and fades', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1190);
  const before = stage.speaker.output.length;
  stage.pass(600);
  const { concealedSamples, concealmentEvents, gapsOver20Ms } = stage.playback.stats();
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
  expect(stage.playback.stats().gapsOver20Ms).toBe(1);
  expect(stage.playback.playhead).toBe(1.7 * rate);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
  // The file has the answer without concealment.
  expect(stage.heard.filter((sample) => sample !== 0).length).toBeGreaterThan(1.65 * rate);
});

it('the jitter buffer crossfades late sound into the concealment without a gap', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1260);
  stage.playback.write(stage.tone(1000), 1);
  stage.playback.turnEnded(1);
  stage.pass(1500);
  expect(stage.silences(0)).toEqual([]);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
  const { concealmentEvents, gapsOver20Ms } = stage.playback.stats();
  expect([concealmentEvents, gapsOver20Ms]).toEqual([1, 0]);
});

it('the jitter buffer aligns the waves before joining them, so they do not cancel', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1230);
  // Half a period is missing, so both waves are in opposite phase.
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

it.each([0.625, 1.25, 2.5, 3.75])(
  'the jitter buffer keeps the phase of a voice that continues %s ms later',
  (ms) => {
    const stage = new PlaybackStage();
    stage.playback.write(stage.tone(1200), 1);
    stage.pass(1230);
    stage.tone(ms);
    stage.playback.write(stage.tone(1000), 1);
    stage.pass(200);
    expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
    stage.playback.flush();
  },
);

it('the jitter buffer crossfades sound that matches nowhere', () => {
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

it('the jitter buffer fades out its concealment when another turn begins loudly', () => {
  const stage = new PlaybackStage();
  // It ends at the peak of a wave.
  stage.tone(1.25);
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1190);
  expect(stage.playback.stats().concealmentEvents).toBe(1);
  stage.playback.turnEnded(1);
  stage.playback.write(new Float32Array(1.5 * rate).fill(-0.4), 2);
  stage.pass(200);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
  stage.playback.flush();
});

it('the jitter buffer leaves no gap in the file for concealment', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1260);
  for (let late = 0; late < 6; late += 1) {
    stage.playback.write(stage.tone(300), 1);
    stage.pass(360);
  }
  stage.playback.turnEnded(1);
  stage.pass(1000);
  expect(stage.playback.stats().concealedSamples).toBeGreaterThan(0.25 * rate);
  const first = stage.heard.findIndex((sample) => sample !== 0);
  const last = stage.heard.findLastIndex((sample) => sample !== 0);
  const answer = stage.heard.slice(first, last + 1);
  const silent = answer.filter((sample, n) => sample === 0 && answer[n + 1] === 0);
  expect(silent.length).toBe(0);
  // The timeline catches up afterwards.
  expect(stage.heard.length).toBeGreaterThan(stage.clock.now() * (rate / 1000) - 2);
});

it('the jitter buffer ends its concealment when the turn is over', () => {
  const stage = new PlaybackStage();
  stage.playback.write(stage.tone(1200), 1);
  stage.pass(1190);
  stage.playback.turnEnded(1);
  stage.pass(500);
  expect(stage.playback.stats().concealedSamples).toBeLessThan(0.06 * rate);
  expect(stage.largestStep()).toBeLessThan(1.3 * toneStep);
});

it('the jitter buffer counts a pause 50 ms longer as a pause, and one 90 ms longer as a gap', () => {
  for (const [lateMs, gaps] of [
    [50, 0],
    [90, 1],
  ] as const) {
    const stage = new PlaybackStage();
    const sound = stage.tone(1400);
    sound.fill(0, sound.length - rate / 10);
    stage.playback.write(sound, 1);
    stage.pass(1);
    stage.pass(stage.playback.stats().bufferMs + lateMs);
    stage.playback.write(stage.tone(1000), 1);
    stage.playback.turnEnded(1);
    stage.pass(2000);
    expect(stage.playback.stats().gapsOver20Ms).toBe(gaps);
  }
});
