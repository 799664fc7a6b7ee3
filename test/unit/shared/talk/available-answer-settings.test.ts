import { describe, expect, it } from 'vitest';
import { availableAnswerSettings } from '../../../../shared/talk/talk-stats.ts';

describe('the settings that may make a model answer', () => {
  it('are none for a legacy server, and omit those that a unified endpoint sets itself', () => {
    expect(availableAnswerSettings('legacy')).toEqual([]);
    expect(availableAnswerSettings('unified')).toEqual(['listenProbScale', 'lengthPenalty']);
    expect(availableAnswerSettings('unified', { length_penalty: null })).toEqual([
      'listenProbScale',
    ]);
    expect(availableAnswerSettings('unified', { listen_prob_scale: 0.5, top_k: 3 })).toEqual([
      'lengthPenalty',
    ]);
  });
});
