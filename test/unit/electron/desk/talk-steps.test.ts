import { describe, expect, it } from 'vitest';
import { TalkSteps } from '../../../../electron/desk/talk-steps.ts';

const playout = { bufferMs: 300, targetMs: 200, concealedSamples: 0 };
const figures = () => ({ measures: 'all of them', playout }) as never;
const metrics = { event: 'metrics' } as never;

describe('how a talk goes', () => {
  it('is told with every step: the buffer, and what was measured since the one before', () => {
    const told: unknown[] = [];
    const steps = new TalkSteps((name, payload) => {
      told.push([name, payload]);
    });
    steps.hear({ event: 'measure', kind: 'roundTrip', ms: 80 }, { figures });
    steps.hear({ event: 'measure', kind: 'roundTrip', ms: 90 }, { figures });
    expect(told).toEqual([]);
    steps.hear(metrics, { figures });
    steps.hear(metrics, { figures });
    const buffer = { bufferMs: 300, targetMs: 200 };
    expect(told).toEqual([
      ['measures', 'all of them'],
      ['talkStep', { buffer, latest: { roundTrip: 90 } }],
      ['measures', 'all of them'],
      ['talkStep', { buffer, latest: {} }],
    ]);
  });
});
