import { describe, expect, it } from 'vitest';
import { Ducking } from '../../../../../electron/audio/playback/ducking.ts';
import { JitterBuffer } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import { PlayoutBuffer } from '../../../../../electron/audio/playback/playout-buffer.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';
import { PlaybackHarness, rate, toneStep } from './playback-harness.ts';

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

it('the jitter buffer follows the device’s clock, with silence before and after a turn but not within', () => {
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

it('the jitter buffer cuts the sound where the device really stopped', () => {
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

it('the jitter buffer starts a complete turn or a long sound at once', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(300), 1);
  harness.playback.turnEnded(1);
  expect(harness.speaker.written).toBe(0.3 * rate);
  harness.playback.write(harness.tone(30_000), 2);
  expect(harness.speaker.written).toBe(30.3 * rate);
  expect(harness.playback.stats().startDelayMs).toBe(0);
  harness.pass(31_000);
  expect([harness.playback.isDrained, harness.playback.playhead]).toEqual([true, 30.3 * rate]);
  expect(harness.playback.stats().insertedSamples).toBe(0);
});

it('the jitter buffer does not hold back a server that is faster than real time', () => {
  const harness = new PlaybackHarness();
  const quick = Array.from({ length: 10 }, (_, n) => ({ at: n * 60, ms: 250 }));
  harness.turn(1, quick);
  // The server’s pace is unknown at first, but playback starts once a whole step has arrived.
  expect(harness.playback.stats().startDelayMs).toBeLessThan(300);
  for (let turn = 2; turn < 5; turn += 1) {
    harness.pass(3000);
    harness.turn(turn, quick);
  }
  expect(harness.playback.stats().startDelayMs).toBeLessThan(100);
  expect(harness.silences(0).filter((ms) => ms < 500)).toEqual([]);
});

it('the jitter buffer plays the short last piece of a turn without waiting or concealment', () => {
  const harness = new PlaybackHarness();
  harness.turn(1, [
    { at: 0, ms: 1000 },
    { at: 1000, ms: 500 },
  ]);
  harness.pass(2000);
  const { concealedSamples, concealmentEvents } = harness.playback.stats();
  expect([concealedSamples, concealmentEvents]).toEqual([0, 0]);
  expect([harness.playback.isDrained, harness.playback.playhead]).toEqual([true, 1.5 * rate]);
});

it('the jitter buffer writes a stretched piece at once, so that the speaker cannot run dry within the piece', () => {
  const harness = new PlaybackHarness();
  harness.playback.write(harness.tone(1050), 1);
  harness.pass(150);
  expect(harness.playback.stats().insertedSamples).toBeGreaterThan(0);
  expect(harness.speaker.writes).toBe(1);
  harness.playback.flush();
});

it('the jitter buffer ends ducking at once after a flush, without a timer', () => {
  const harness = new PlaybackHarness();
  const lowered = (): void => {
    harness.playback.write(new Float32Array(48_000).fill(0.5), 1);
    harness.playback.setDucked(true);
    harness.pass(50);
  };
  lowered();
  harness.playback.flush();
  // The last 5 ms still play.
  expect(harness.playback.isDrained).toBe(false);
  harness.playback.setDucked(false);
  const { gains } = harness.speaker;
  expect(gains.at(-1)).toBe(1);
  const gainCount = gains.length;
  harness.pass(60);
  expect(gains).toHaveLength(gainCount);
  lowered();
  harness.playback.setDucked(false);
  expect(gains.at(-1)).toBeLessThan(0.4);
  harness.pass(60);
});

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

const seeds = Array.from({ length: randomRuns(20) }, (_, n) => n + 1);

interface Played {
  readonly harness: PlaybackHarness;
  /** Samples that were written and not flushed. */
  readonly expected: number[];
  readonly flushes: number;
}

/** A random conversation: bursts, stalls, ends, late sound, flushes, ducking. */
function playAnything(
  seed: number,
  sound: (harness: PlaybackHarness, ms: number) => Float32Array,
): Played {
  const random = seeded(seed);
  const harness = new PlaybackHarness();
  const { playback } = harness;
  const expected: number[] = [];
  let flushes = 0;
  let turn = 1;
  let playhead = 0;
  for (let step = 0; step < 60; step += 1) {
    const action = random();
    if (action < 0.6) {
      const samples = sound(harness, Math.floor(random() * (random() < 0.1 ? 3000 : 900)));
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
    else if (action < 0.9) harness.speaker.stop(random() < 0.3);
    harness.pass(Math.floor(random() * random() * 1500));
    if (playback.playhead < playhead) throw new Error('the playhead went back');
    ({ playhead } = playback);
    if (playback.playhead + playback.queued !== expected.length) throw new Error('samples lost');
  }
  playback.turnEnded(turn);
  harness.speaker.stop(false);
  harness.pass(60_000);
  return { harness, expected, flushes };
}

describe.each(seeds)('JitterBuffer with random input (%i)', (seed) => {
  it('plays every sample once, in order', () => {
    let next = 1;
    const { harness, expected, flushes } = playAnything(seed, (_, ms) =>
      Float32Array.from({ length: (ms * rate) / 1000 }, () => next++),
    );
    expect(harness.playback.playhead).toBe(expected.length);
    expect(harness.playback.isDrained).toBe(true);
    const heard = harness.heard.filter((sample) => sample !== 0);
    expect(heard.length).toBe(expected.length);
    expect(heard.every((sample, n) => sample === expected[n])).toBe(true);
    const { concealedSamples, insertedSamples, concealmentEvents } = harness.playback.stats();
    const madeUp = concealedSamples + insertedSamples;
    if (flushes === 0) expect(harness.speaker.written).toBe(expected.length + madeUp);
    expect(concealedSamples).toBeLessThanOrEqual(concealmentEvents * 0.2 * rate);
    expect(insertedSamples).toBeLessThanOrEqual(next * 0.25);
  });

  it('makes no clicks', () => {
    const { harness } = playAnything(seed, (playing, ms) => playing.tone(ms));
    expect(harness.largestStep()).toBeLessThan(1.4 * toneStep);
  });
});
