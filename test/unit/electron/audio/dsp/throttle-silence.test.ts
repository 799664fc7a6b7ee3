import { expect, it } from 'vitest';
import { throttleSilence } from '../../../../../electron/audio/dsp/loudness.ts';
import type { TalkLevel } from '../../../../../shared/talk/talk-view.ts';

it('throttleSilence forwards the first half second of silence, separately for each voice', () => {
  const emitted: string[] = [];
  const hear = throttleSilence(({ who, rmsDb }) => emitted.push(`${who} ${rmsDb}`));
  const say = (who: TalkLevel['who'], ...levels: readonly number[]): void => {
    for (const rmsDb of levels) hear({ who, rmsDb, peakDb: rmsDb });
  };
  const silence = Array.from({ length: 30 }, () => -100);
  say('you', -20, ...silence);
  say('parley', -30, -61);
  say('you', -75, -60, -100);
  const ten = silence.slice(0, 10).map((level) => `you ${level}`);
  expect(emitted).toEqual(['you -20', ...ten, 'parley -30', 'parley -61', 'you -60', 'you -100']);
});
