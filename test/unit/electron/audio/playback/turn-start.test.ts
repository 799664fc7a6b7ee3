import { expect, it } from 'vitest';
import { Concealment } from '../../../../../electron/audio/playback/speaker-feed.ts';
import { ServerPaceTracker } from '../../../../../electron/audio/playback/server-pace.ts';
import { TurnStart } from '../../../../../electron/audio/playback/jitter-buffer.ts';
import type { AnswerStart } from '../../../../../shared/settings/talking-settings.ts';

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

it('TurnStart estimates the concealable gap once per 20 ms of sound, even if it arrives sample by sample', () => {
  const { concealment, start } = turn('balanced');
  for (let n = 0; n < voice.length; n += 1) start.add(voice.subarray(n, n + 1), 0, 0);
  expect(concealment.asked).toBe(600 / 20);
});

it('TurnStart waits less if more of the gap can be concealed, and starts a complete turn at once', () => {
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

it('TurnStart does not count on the end of another turn', () => {
  const { concealment, start } = turn('balanced');
  start.add(voice, 0, 0);
  expect(concealment.bridgeMs).toBe(80);
  const options = { rate, concealment, pace: new ServerPaceTracker(1000, pace) };
  const next = new TurnStart({ ...options, answerStart: 'balanced' });
  next.add(new Float32Array(0.021 * rate), 0, 0);
  expect(concealment.bridgeMs).toBe(60);
});
