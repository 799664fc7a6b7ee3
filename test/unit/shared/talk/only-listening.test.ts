import { expect, it } from 'vitest';
import { availableAnswerSettings } from '../../../../shared/talk/talk-stats.ts';

it('a legacy server has none of these settings, and a unified one has those that its fields lack', () => {
  expect(availableAnswerSettings('legacy')).toEqual([]);
  expect(availableAnswerSettings('unified')).toEqual(['listenProbScale', 'lengthPenalty']);
  expect(availableAnswerSettings('unified', { length_penalty: null })).toEqual(['listenProbScale']);
  expect(availableAnswerSettings('unified', { listen_prob_scale: 0.5, top_k: 3 })).toEqual([
    'lengthPenalty',
  ]);
});
