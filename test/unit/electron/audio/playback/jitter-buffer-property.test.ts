import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { PlaybackStage, rate, toneStep } from './playback-stage.ts';

const seeds = Array.from({ length: randomRuns(20) }, (_, n) => n + 1);

interface Played {
  readonly stage: PlaybackStage;
  /** Samples that were written and not flushed. */
  readonly expected: number[];
  readonly flushes: number;
}

/** A random conversation: bursts, stalls, ends, late sound, flushes, ducking. */
function playAnything(
  seed: number,
  sound: (stage: PlaybackStage, ms: number) => Float32Array,
): Played {
  const random = seeded(seed);
  const stage = new PlaybackStage();
  const { playback } = stage;
  const expected: number[] = [];
  let flushes = 0;
  let turn = 1;
  let playhead = 0;
  for (let step = 0; step < 60; step += 1) {
    const action = random();
    if (action < 0.6) {
      const samples = sound(stage, Math.floor(random() * (random() < 0.1 ? 3000 : 900)));
      for (const sample of samples) expected.push(sample);
      playback.write(samples, turn);
    } else if (action < 0.75) {
      playback.turnEnded(turn);
      if (random() < 0.8) turn += 1;
    } else if (action < 0.8) {
      expected.length -= playback.flush();
      flushes += 1;
    } else if (action < 0.85) playback.setDucked(random() < 0.5);
    else if (action < 0.87) turn += 1;
    else if (action < 0.9) stage.speaker.stop(random() < 0.3);
    stage.pass(Math.floor(random() * random() * 1500));
    if (playback.playhead < playhead) throw new Error('the playhead went back');
    ({ playhead } = playback);
    if (playback.playhead + playback.queued !== expected.length) throw new Error('samples lost');
  }
  playback.turnEnded(turn);
  stage.speaker.stop(false);
  stage.pass(60_000);
  return { stage, expected, flushes };
}

describe.each(seeds)('JitterBuffer with random input (%i)', (seed) => {
  it('plays every sample once, in order', () => {
    let next = 1;
    const { stage, expected, flushes } = playAnything(seed, (_, ms) =>
      Float32Array.from({ length: (ms * rate) / 1000 }, () => next++),
    );
    expect(stage.playback.playhead).toBe(expected.length);
    expect(stage.playback.isDrained).toBe(true);
    const heard = stage.heard.filter((sample) => sample !== 0);
    expect(heard.length).toBe(expected.length);
    expect(heard.every((sample, n) => sample === expected[n])).toBe(true);
    const { concealedSamples, insertedSamples, concealmentEvents } = stage.playback.stats();
    const madeUp = concealedSamples + insertedSamples;
    if (flushes === 0) expect(stage.speaker.written).toBe(expected.length + madeUp);
    expect(concealedSamples).toBeLessThanOrEqual(concealmentEvents * 0.2 * rate);
    expect(insertedSamples).toBeLessThanOrEqual(next * 0.25);
  });

  it('makes no clicks', () => {
    const { stage } = playAnything(seed, (playing, ms) => playing.tone(ms));
    expect(stage.largestStep()).toBeLessThan(1.4 * toneStep);
  });
});
