import { describe, expect, it } from 'vitest';
import { TurnStart } from '../../../../../electron/audio/playback/turn-start.ts';
import {
  ServerPaceTracker,
  type ServerPace,
} from '../../../../../electron/audio/playback/server-pace.ts';
import { Concealment } from '../../../../../electron/audio/playback/concealment.ts';
import { answerStarts, type AnswerStart } from '../../../../../shared/settings/app-settings.ts';
import { PlaybackHarness, rate } from './playback-harness.ts';

/** Allowed error of a delay: the harness advances in steps of 10 ms, and stretching inserts whole periods of 5 ms. */
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
  it('starts at once after an answer that still plays long enough', () => {
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
