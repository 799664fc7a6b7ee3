import { describe, expect, it } from 'vitest';
import type { ServerPace } from '../../../../../electron/audio/playback/server-pace.ts';
import { PlaybackHarness, rate, toneStep } from './playback-harness.ts';

/** Steps of one second, sometimes 100 ms late. */
const known: ServerPace = { stepMs: 1000, typicalMs: 1000, spreadMs: 20, maxMs: 1100 };

describe('a device that pauses', () => {
  const behindMs = (harness: PlaybackHarness): number =>
    harness.clock.now() - (harness.heard.length * 1000) / rate;

  it('leaves a pause of the same length in what is heard', () => {
    const harness = new PlaybackHarness(known);
    harness.playback.write(harness.tone(2000), 1);
    harness.pass(500);
    harness.speaker.stop(true);
    harness.pass(2000);
    expect(behindMs(harness)).toBeLessThan(130);
    harness.speaker.stop(false);
    harness.pass(3000);
    expect(harness.playback.playhead).toBe(2 * rate);
  });

  it('leaves a pause even after concealment', () => {
    const harness = new PlaybackHarness(known);
    for (let turn = 1; turn <= 4; turn += 1) {
      harness.playback.write(harness.tone(1200), turn);
      harness.pass(1800);
    }
    expect(harness.playback.stats().concealedSamples).toBeGreaterThan(0.4 * rate);
    harness.playback.write(harness.tone(3000), 9);
    harness.pass(500);
    harness.speaker.stop(true);
    harness.pass(2000);
    expect(behindMs(harness)).toBeLessThan(130);
    harness.playback.flush();
  });
});

it('the jitter buffer fills a gap by concealment, and then fades to silence', () => {
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
  // `heard` has the samples of the answer, without those of the concealment.
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

it('the jitter buffer fades out its concealment when another turn begins loudly', () => {
  const harness = new PlaybackHarness();
  // Skips a quarter of a period, so that the next sound ends at the peak of a wave.
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

it('concealed gaps leave no silence within what is heard of an answer', () => {
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
  // After the gaps, `heard` is again as long as the time that has passed.
  expect(harness.heard.length).toBeGreaterThan(harness.clock.now() * (rate / 1000) - 2);
});

it('the jitter buffer does not count a pause that came 50 ms late as a gap, but counts one that came 90 ms late', () => {
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
