import { expect, it } from 'vitest';
import { answerSettingsOf } from '../../../../shared/talk/talk-stats.ts';

it('a legacy server has no such settings, and a unified one those that its own fields leave open', () => {
  expect(answerSettingsOf('legacy')).toEqual([]);
  expect(answerSettingsOf('unified')).toEqual(['listenProbScale', 'lengthPenalty']);
  expect(answerSettingsOf('unified', { length_penalty: null })).toEqual(['listenProbScale']);
  expect(answerSettingsOf('unified', { listen_prob_scale: 0.5, top_k: 3 })).toEqual([
    'lengthPenalty',
  ]);
});
