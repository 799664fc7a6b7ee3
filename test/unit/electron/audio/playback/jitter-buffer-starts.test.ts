import { describe, expect, it } from 'vitest';
import { TurnStart } from '../../../../../electron/audio/playback/turn-start.ts';
import {
  ServerPaceTracker,
  type ServerPace,
} from '../../../../../electron/audio/playback/server-pace.ts';
import { Concealment } from '../../../../../electron/audio/playback/concealment.ts';
import { answerStarts, type AnswerStart } from '../../../../../shared/settings/app-settings.ts';
import { PlaybackHarness, rate, toneStep } from './playback-harness.ts';

/** Stretching inserts whole periods of 5 ms, so it can fall short of the maximum by this. */
const toleranceMs = 18;

/** Steps of one second, sometimes 100 ms late. */
const known: ServerPace = { stepMs: 1000, typicalMs: 1000, spreadMs: 20, maxMs: 1100 };

describe('an answer that begins with 0.6 s, from a server with steps of 1 s', () => {
  /** The delay until playback starts. */
  function measureDelay(starts: AnswerStart | undefined, pace: Partial<ServerPace> = {}): number {
    const harness = new PlaybackHarness({ ...known, ...pace }, 1000, starts);
    harness.playback.write(harness.tone(600), 1);
    harness.pass(3000);
    return harness.playback.stats().startDelayMs ?? Infinity;
  }

  it.each([
    // The piece can be stretched by 150 ms, and by 60 ms for the smoothest start.
    ['soonest', 1000 - 80 - 750],
    ['balanced', 1100 + 40 - (80 - 20) - 750],
    ['smoothest', 1100 + 40 + 100 - 660],
  ] as const)('starts with the setting %s after %s ms', (starts, delay) => {
    expect(Math.abs(measureDelay(starts) - delay)).toBeLessThan(toleranceMs);
  });

  it('waits for the known lateness of the server if that exceeds 100 ms', () => {
    const smooth = { spreadMs: 150, maxMs: 1000 };
    expect(Math.abs(measureDelay('smoothest', smooth) - (1150 + 40 + 150 - 675))).toBeLessThan(
      toleranceMs,
    );
  });

  it.each(answerStarts)('waits for two steps at most with the setting %s', (starts) => {
    expect(measureDelay(starts, { maxMs: 5000, typicalMs: 4000 })).toBeLessThan(2000 - 600);
  });
});

describe('an answer', () => {
  it('starts at once behind one that still plays long enough', () => {
    const harness = new PlaybackHarness(known);
    harness.pass(100);
    harness.playback.write(harness.tone(3000), 1);
    expect(harness.speaker.written).toBe(3 * rate);
    harness.playback.turnEnded(1);
    harness.playback.write(harness.tone(100), 2);
    expect(harness.speaker.written).toBe(3.1 * rate);
    expect(harness.playback.stats().startDelayMs).toBe(0);
    harness.playback.flush();
  });

  it('is stretched only until it lasts to the next step, in any number of pieces', () => {
    const harness = new PlaybackHarness();
    for (let piece = 0; piece < 5; piece += 1) harness.playback.write(harness.tone(220), 1);
    const { insertedSamples, startDelayMs } = harness.playback.stats();
    expect(startDelayMs).toBe(0);
    expect(insertedSamples).toBeGreaterThan(0.08 * rate);
    expect(insertedSamples).toBeLessThanOrEqual(0.1 * rate);
    harness.playback.flush();
  });

  it('does not start without sound, and does not end when the previous turn ends', () => {
    const harness = new PlaybackHarness(known);
    harness.playback.write(new Float32Array(0), 2);
    harness.pass(500);
    harness.playback.write(harness.tone(100), 2);
    harness.playback.turnEnded(1);
    expect(harness.speaker.written).toBe(0);
    harness.playback.write(harness.tone(3000), 2);
    expect(harness.playback.stats().startDelayMs).toBe(0);
    harness.playback.flush();
  });

  it('is held back as long as its server needs, if the server has changed', () => {
    const harness = new PlaybackHarness(known);
    const slow = { ...known, typicalMs: 1400, maxMs: 1400 };
    harness.playback.setPace(slow);
    expect(harness.playback.pace()).toEqual(slow);
    harness.playback.write(harness.tone(600), 1);
    harness.pass(3000);
    expect(harness.playback.stats().startDelayMs).toBeGreaterThan(600);
    harness.playback.setPace(undefined);
    expect(harness.playback.pace().typicalMs).toBe(1000);
  });
});

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

describe('TurnStart', () => {
  const rate = 24_000;
  const pace = { stepMs: 1000, typicalMs: 1000, spreadMs: 0, maxMs: 1000, steps: 50 };
  const voice = Float32Array.from(
    { length: 0.6 * rate },
    (_, n) => 0.3 * Math.sin((n * Math.PI) / 80),
  );

  class CountedConcealment extends Concealment {
    asked = 0;

    override begin(): void {
      this.asked += 1;
      super.begin();
    }
  }

  function turn(answerStart: AnswerStart) {
    const concealment = new CountedConcealment(rate);
    const options = { rate, concealment, pace: new ServerPaceTracker(1000, pace), answerStart };
    return { concealment, start: new TurnStart(options) };
  }

  it('estimates the concealable gap once per 20 ms of sound, even if it arrives sample by sample', () => {
    const { concealment, start } = turn('balanced');
    for (let n = 0; n < voice.length; n += 1) start.add(voice.subarray(n, n + 1), 0, 0);
    expect(concealment.asked).toBe(600 / 20);
  });

  it('waits less if more of the gap can be concealed, and starts a complete turn at once', () => {
    const waits = (['soonest', 'balanced', 'smoothest'] as const).map((starts) =>
      turn(starts).start.add(voice, 0, 0),
    );
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(new Set(waits).size).toBe(3);
    const { start } = turn('balanced');
    start.add(voice, 0, 0);
    expect(start.missingMs(0, 0)).toBe(1040);
    start.complete();
    expect(start.missingMs(0, 0)).toBe(0);
  });

  it('estimates the gap that it can conceal from the sound of its own turn, not of the previous one', () => {
    const { concealment, start } = turn('balanced');
    start.add(voice, 0, 0);
    expect(concealment.bridgeMs).toBe(80);
    const options = { rate, concealment, pace: new ServerPaceTracker(1000, pace) };
    const next = new TurnStart({ ...options, answerStart: 'balanced' });
    next.add(new Float32Array(0.021 * rate), 0, 0);
    expect(concealment.bridgeMs).toBe(60);
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
  // The heard samples have the answer without concealment.
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
  // The timeline catches up afterwards.
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
