import { describe, expect, it } from 'vitest';
import { TalkStatsPublisher } from '../../../../electron/controllers/talk-stats-publisher.ts';

const playout = { bufferMs: 300, targetMs: 200, concealedSamples: 0 };
const figures = () => ({ measures: 'all of them', playout }) as never;
const metrics = { event: 'metrics' } as never;

describe('how a talk goes', () => {
  it('is told with every step: the buffer, and what was measured since the one before', () => {
    const told: unknown[] = [];
    const steps = new TalkStatsPublisher((name, payload) => {
      told.push([name, payload]);
    });
    steps.publish({ event: 'measure', kind: 'roundTrip', ms: 80 }, { stats: figures });
    steps.publish({ event: 'measure', kind: 'roundTrip', ms: 90 }, { stats: figures });
    expect(told).toEqual([]);
    steps.publish(metrics, { stats: figures });
    steps.publish(metrics, { stats: figures });
    const buffer = { bufferMs: 300, targetMs: 200 };
    expect(told).toEqual([
      ['measures', 'all of them'],
      ['talkStep', { buffer, latest: { roundTrip: 90 } }],
      ['measures', 'all of them'],
      ['talkStep', { buffer, latest: {} }],
    ]);
  });
});
