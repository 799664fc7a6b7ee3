import { describe, expect, it } from 'vitest';
import type { ServerPace } from '../../../../../electron/audio/playback/server-pace.ts';
import { type AnswerStart, answerStarts } from '../../../../../shared/settings/talking-settings.ts';
import { PlaybackStage, rate } from './playback-stage.ts';

/** Stretching inserts whole periods of 5 ms, so it can stay short of the maximum by some. */
const stretchedBy = 18;

/** Steps of one second, sometimes 100 ms late. */
const known: ServerPace = { stepMs: 1000, typicalMs: 1000, spreadMs: 20, maxMs: 1100 };

describe('an answer whose first piece has 0.6 s and later ones 1 s', () => {
  /** The delay until playback starts. */
  function measureDelay(starts: AnswerStart | undefined, pace: Partial<ServerPace> = {}): number {
    const stage = new PlaybackStage({ ...known, ...pace }, 1000, starts);
    stage.playback.write(stage.tone(600), 1);
    stage.pass(3000);
    return stage.playback.stats().startDelayMs ?? Infinity;
  }

  it.each([
    // Each can be stretched by 150 ms; the smoothest start uses half of that.
    ['soonest', 1000 - 80 - 750],
    ['balanced', 1100 + 40 - (80 - 20) - 750],
    ['smoothest', 1100 + 40 + 100 - 675],
  ] as const)('starts with the setting %s after %s ms', (starts, delay) => {
    expect(Math.abs(measureDelay(starts) - delay)).toBeLessThan(stretchedBy);
  });

  it('starts like a balanced one without a setting', () => {
    expect(measureDelay(undefined)).toBe(measureDelay('balanced'));
  });

  it('waits for the known lateness of the server if that exceeds 100 ms', () => {
    const smooth = { spreadMs: 150, maxMs: 1000 };
    expect(Math.abs(measureDelay('smoothest', smooth) - (1150 + 40 + 150 - 675))).toBeLessThan(
      stretchedBy,
    );
  });

  it.each(answerStarts)('waits for two steps at most with the setting %s', (starts) => {
    expect(measureDelay(starts, { maxMs: 5000, typicalMs: 4000 })).toBeLessThan(2000 - 600);
  });
});

describe('an answer', () => {
  it('starts at once behind one that still plays long enough', () => {
    const stage = new PlaybackStage(known);
    stage.pass(100);
    stage.playback.write(stage.tone(3000), 1);
    expect(stage.speaker.written).toBe(3 * rate);
    stage.playback.turnEnded(1);
    stage.playback.write(stage.tone(100), 2);
    expect(stage.speaker.written).toBe(3.1 * rate);
    expect(stage.playback.stats().startDelayMs).toBe(0);
    stage.playback.flush();
  });

  it('is stretched by no more than it lacks, in any number of pieces', () => {
    const stage = new PlaybackStage();
    for (let piece = 0; piece < 5; piece += 1) stage.playback.write(stage.tone(220), 1);
    const { insertedSamples, startDelayMs } = stage.playback.stats();
    expect(startDelayMs).toBe(0);
    expect(insertedSamples).toBeGreaterThan(0.08 * rate);
    expect(insertedSamples).toBeLessThanOrEqual(0.1 * rate);
    stage.playback.flush();
  });

  it('is not stretched while there is enough of it', () => {
    const stage = new PlaybackStage();
    stage.playback.write(stage.tone(3000), 1);
    stage.pass(100);
    stage.playback.write(stage.tone(1000), 1);
    expect(stage.playback.stats().insertedSamples).toBe(0);
    stage.playback.flush();
  });

  it('does not start empty, and does not end with the previous one', () => {
    const stage = new PlaybackStage(known);
    stage.playback.write(new Float32Array(0), 2);
    stage.pass(500);
    stage.playback.write(stage.tone(100), 2);
    stage.playback.turnEnded(1);
    expect(stage.speaker.written).toBe(0);
    stage.playback.write(stage.tone(3000), 2);
    expect(stage.playback.stats().startDelayMs).toBe(0);
    stage.playback.flush();
  });

  it('is held back as long as its server needs, if the server has changed', () => {
    const stage = new PlaybackStage(known);
    const slow = { ...known, typicalMs: 1400, maxMs: 1400 };
    stage.playback.setPace(slow);
    expect(stage.playback.pace()).toEqual(slow);
    stage.playback.write(stage.tone(600), 1);
    stage.pass(3000);
    expect(stage.playback.stats().startDelayMs).toBeGreaterThan(600);
    stage.playback.setPace(undefined);
    expect(stage.playback.pace().typicalMs).toBe(1000);
  });
});

describe('a device that pauses', () => {
  const behindMs = (stage: PlaybackStage): number =>
    stage.clock.now() - (stage.heard.length * 1000) / rate;

  it('leaves a pause of the same length in the file', () => {
    const stage = new PlaybackStage(known);
    stage.playback.write(stage.tone(2000), 1);
    stage.pass(500);
    stage.speaker.stop(true);
    stage.pass(2000);
    expect(behindMs(stage)).toBeLessThan(130);
    stage.speaker.stop(false);
    stage.pass(3000);
    expect(stage.playback.playhead).toBe(2 * rate);
  });

  it('leaves a pause even after concealment', () => {
    const stage = new PlaybackStage(known);
    for (let turn = 1; turn <= 4; turn += 1) {
      stage.playback.write(stage.tone(1200), turn);
      stage.pass(1800);
    }
    expect(stage.playback.stats().concealedSamples).toBeGreaterThan(0.4 * rate);
    stage.playback.write(stage.tone(3000), 9);
    stage.pass(500);
    stage.speaker.stop(true);
    stage.pass(2000);
    expect(behindMs(stage)).toBeLessThan(130);
    stage.playback.flush();
  });
});
