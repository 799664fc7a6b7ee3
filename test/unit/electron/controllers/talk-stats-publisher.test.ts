import { describe, expect, it } from 'vitest';
import { LatencyStats } from '../../../../electron/conversation/policies/latency-stats.ts';
import { TalkStatsPublisher } from '../../../../electron/controllers/talk-stats-publisher.ts';

const measures = new LatencyStats().summary();
const playout = {
  bufferMs: 300,
  targetMs: 200,
  concealedSamples: 0,
  concealmentEvents: 0,
  insertedSamples: 0,
  removedSamples: 0,
  gapsOver20Ms: 0,
  startDelayMs: undefined,
};
const figures = () => ({ measures, playout, pace: undefined });
const metrics = { event: 'metrics', metrics: { figures: {} } } as const;

describe('how a talk goes', () => {
  it('is told with every step: the buffer, and what was measured since the one before', () => {
    const told: unknown[] = [];
    const steps = new TalkStatsPublisher((name, payload) => {
      told.push([name, payload]);
    });
    steps.publish({ event: 'measure', kind: 'wireToSound', ms: 80 }, { stats: figures });
    steps.publish({ event: 'measure', kind: 'wireToSound', ms: 90 }, { stats: figures });
    expect(told).toEqual([]);
    steps.publish(metrics, { stats: figures });
    steps.publish(metrics, { stats: figures });
    const buffer = { bufferMs: 300, targetMs: 200 };
    expect(told).toEqual([
      ['measures', measures],
      ['talkStep', { buffer, latest: { wireToSound: 90 } }],
      ['measures', measures],
      ['talkStep', { buffer, latest: {} }],
    ]);
  });
});
