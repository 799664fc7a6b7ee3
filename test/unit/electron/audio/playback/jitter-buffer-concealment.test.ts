import { expect, it } from 'vitest';
import { PlaybackHarness, rate, toneStep } from './playback-harness.ts';

it('the jitter buffer conceals a gap and fades', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1190);
  const before = harness.speaker.output.length;
  harness.pass(600);
  const { concealedSamples, concealmentEvents, gapsOver20Ms } = harness.playback.stats();
  expect([concealmentEvents, gapsOver20Ms]).toEqual([1, 0]);
  expect(concealedSamples).toBeGreaterThan(0.08 * rate);
  expect(concealedSamples).toBeLessThan(0.19 * rate);
  expect(harness.playback.playhead).toBe(1.2 * rate);
  expect(harness.speaker.output.slice(before + 0.2 * rate).every((sample) => sample === 0)).toBe(
    true,
  );
  harness.playback.write(harness.tone(500), 1);
  harness.playback.turnEnded(1);
  harness.pass(700);
  expect(harness.playback.stats().gapsOver20Ms).toBe(1);
  expect(harness.playback.playhead).toBe(1.7 * rate);
  expect(harness.largestStep()).toBeLessThan(1.3 * toneStep);
  // The file has the answer without concealment.
  expect(harness.heard.filter((sample) => sample !== 0).length).toBeGreaterThan(1.65 * rate);
});

it('the jitter buffer crossfades late sound into the concealment without a gap', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1260);
  harness.playback.write(harness.tone(1000), 1);
  harness.playback.turnEnded(1);
  harness.pass(1500);
  expect(harness.silences(0)).toEqual([]);
  expect(harness.largestStep()).toBeLessThan(1.3 * toneStep);
  const { concealmentEvents, gapsOver20Ms } = harness.playback.stats();
  expect([concealmentEvents, gapsOver20Ms]).toEqual([1, 0]);
});

it('the jitter buffer aligns the waves before joining them, so they do not cancel', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1230);
  // Half a period is missing, so both waves are in opposite phase.
  harness.tone(2.5);
  harness.playback.write(harness.tone(1000), 1);
  harness.playback.turnEnded(1);
  harness.pass(1500);
  const { output } = harness.speaker;
  const powers = Array.from({ length: 30 }, (_, n) => {
    const window = output.slice((1.15 + n * 0.005) * rate, (1.155 + n * 0.005) * rate);
    return Math.sqrt(window.reduce((sum, sample) => sum + sample ** 2, 0) / window.length);
  });
  expect(Math.min(...powers)).toBeGreaterThan(0.25);
});

it.each([0.625, 1.25, 2.5, 3.75])(
  'the jitter buffer keeps the phase of a voice that continues %s ms later',
  (ms) => {
    const harness = new PlaybackHarness();
    harness.playback.write(harness.tone(1200), 1);
    harness.pass(1230);
    harness.tone(ms);
    harness.playback.write(harness.tone(1000), 1);
    harness.pass(200);
    expect(harness.largestStep()).toBeLessThan(1.3 * toneStep);
    harness.playback.flush();
  },
);

it('the jitter buffer crossfades sound that matches nowhere', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1230);
  harness.playback.write(new Float32Array(rate).fill(0.4), 1);
  const before = harness.speaker.output.length;
  harness.pass(300);
  const joined = harness.speaker.output.slice(before - 0.1 * rate);
  const steps = joined.slice(1).map((sample, n) => Math.abs(sample - (joined[n] ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(1.3 * toneStep);
  expect(harness.playback.flush()).toBeGreaterThan(0);
});

it('the jitter buffer fades out its concealment when another turn begins loudly', () => {
  const harness = new PlaybackHarness();
  // It ends at the peak of a wave.
  harness.tone(1.25);
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1190);
  expect(harness.playback.stats().concealmentEvents).toBe(1);
  harness.playback.turnEnded(1);
  harness.playback.write(new Float32Array(1.5 * rate).fill(-0.4), 2);
  harness.pass(200);
  expect(harness.largestStep()).toBeLessThan(1.3 * toneStep);
  harness.playback.flush();
});

it('the jitter buffer leaves no gap in the file for concealment', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1260);
  for (let late = 0; late < 6; late += 1) {
    harness.playback.write(harness.tone(300), 1);
    harness.pass(360);
  }
  harness.playback.turnEnded(1);
  harness.pass(1000);
  expect(harness.playback.stats().concealedSamples).toBeGreaterThan(0.25 * rate);
  const first = harness.heard.findIndex((sample) => sample !== 0);
  const last = harness.heard.findLastIndex((sample) => sample !== 0);
  const answer = harness.heard.slice(first, last + 1);
  const silent = answer.filter((sample, n) => sample === 0 && answer[n + 1] === 0);
  expect(silent.length).toBe(0);
  // The timeline catches up afterwards.
  expect(harness.heard.length).toBeGreaterThan(harness.clock.now() * (rate / 1000) - 2);
});

it('the jitter buffer ends its concealment when the turn is over', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1200), 1);
  harness.pass(1190);
  harness.playback.turnEnded(1);
  harness.pass(500);
  expect(harness.playback.stats().concealedSamples).toBeLessThan(0.06 * rate);
  expect(harness.largestStep()).toBeLessThan(1.3 * toneStep);
});

it('the jitter buffer counts a pause 50 ms longer as a pause, and one 90 ms longer as a gap', () => {
  for (const [lateMs, gaps] of [
    [50, 0],
    [90, 1],
  ] as const) {
    const harness = new PlaybackHarness();
    const sound = harness.tone(1400);
    sound.fill(0, sound.length - rate / 10);
    harness.playback.write(sound, 1);
    harness.pass(1);
    harness.pass(harness.playback.stats().bufferMs + lateMs);
    harness.playback.write(harness.tone(1000), 1);
    harness.playback.turnEnded(1);
    harness.pass(2000);
    expect(harness.playback.stats().gapsOver20Ms).toBe(gaps);
  }
});
