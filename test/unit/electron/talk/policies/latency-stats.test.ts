import { describe, expect, it } from 'vitest';
import { latencyLine, LatencyStats } from '../../../../../electron/talk/policies/latency-stats.ts';
import { latencyKinds } from '../../../../../shared/talk/talk-stats.ts';
import { plainMicrophone } from '../../../../fakes/fake-devices.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { ConversationHarness } from '../conversation-harness.ts';
import { seeded } from '../../../../fakes/seeded.ts';

describe('latency statistics', () => {
  it.each(latencyKinds)('%s: median and p95 of the latest values match a direct count', (kind) => {
    for (const count of [1, 2, 19, 20, 100, 720, 721, 2000]) {
      const random = seeded(count);
      const stats = new LatencyStats();
      const all = Array.from({ length: count }, () => random() * 300);
      for (const value of all) stats.add(kind, value);
      const latest = all.slice(-720);
      const notAbove = (limit: number) => latest.filter((value) => value <= limit).length;
      const { median = -1, p95 = -1, count: counted } = stats.summary().steps[kind];
      expect(counted).toBe(count);
      // p95 is the least value that 95 of 100 do not exceed.
      expect(latest).toContain(p95);
      expect(notAbove(p95)).toBeGreaterThanOrEqual(0.95 * latest.length);
      expect(latest.filter((value) => value < p95).length).toBeLessThan(0.95 * latest.length);
      expect(notAbove(median)).toBeGreaterThanOrEqual(latest.length / 2);
      expect(latest.filter((value) => value > median).length).toBeLessThanOrEqual(
        latest.length / 2,
      );
      if (count === 2) expect(median).toBeCloseTo(((all[0] ?? 0) + (all[1] ?? 0)) / 2, 9);
    }
  });

  it('are separate per kind, and ignore impossible values', () => {
    const stats = new LatencyStats();
    stats.add('micToWire', 4);
    for (const nonsense of [-1, Number.NaN, Infinity]) stats.add('wireToSound', nonsense);
    const { steps } = stats.summary();
    expect(latencyKinds.filter((kind) => steps[kind].count > 0)).toEqual(['micToWire']);
  });

  it("take the duration of a server step from the server's metrics", () => {
    const stats = new LatencyStats();
    stats.addMetrics({ values: { wall_clock_ms: 640, kv_cache_length: 900 } }, 700);
    stats.addMetrics({ values: {} }, undefined);
    const { steps } = stats.summary();
    expect(steps.roundTrip).toMatchObject({ count: 1, median: 700 });
    expect(steps.serverStep).toMatchObject({ count: 1, median: 640 });
  });

  it('count gaps and drops', () => {
    const stats = new LatencyStats();
    for (const ms of [12, 150, 30, 0, Number.NaN]) stats.addGap(ms);
    stats.addDrop(16_000);
    stats.addDrop(8_000);
    const { gaps, drops } = stats.summary();
    expect(gaps).toEqual({ count: 3, totalMs: 192, longestMs: 150 });
    expect(drops).toEqual({ count: 2, samples: 24_000 });
  });
});

describe('the log line about latency', () => {
  it('has median and p95 of measured kinds only', () => {
    const stats = new LatencyStats();
    for (const ms of [4, 5.25, 6]) stats.add('micToWire', ms);
    stats.add('wireToSound', 123.4);
    expect(latencyLine(stats.summary())).toBe(
      'microphone→wire 5.3/6.0 ms (3); wire→sound 123/123 ms (1); no gaps; no drops',
    );
    stats.addGap(44);
    stats.addDrop(16_000);
    expect(latencyLine(stats.summary())).toContain(
      '1 gaps, longest 44 ms; 1 drops of 16000 samples',
    );
  });
});

describe('the delays of a talk', () => {
  const delaysOf = (harness: ConversationHarness, kind: string): readonly number[] =>
    harness.emittedOf('measure').flatMap((delay) => (delay.kind === kind ? [delay.ms] : []));

  it('are measured from wire to sound for the first sample of each delta', () => {
    const harness = new ConversationHarness().live().says('', 2).pass(500).says('', 2).pass(4000);
    const [first = 0, second = 0] = delaysOf(harness, 'wireToSound');
    expect(first).toBeLessThan(1000);
    // The second one waits for the end of the first.
    expect(second).toBeGreaterThan(1000);
    expect(delaysOf(harness, 'wireToSound')).toHaveLength(2);
    expect(harness.talk.latency().steps.wireToSound.count).toBe(2);
  });

  it('leave out a pause within an answer, which counts as a gap with its length', () => {
    const harness = new ConversationHarness().live().says('', 2).pass(6000);
    expect(harness.talk.latency().gaps.count).toBe(0);
    harness.says('', 2).pass(3000);
    const { count, totalMs, longestMs } = harness.talk.latency().gaps;
    expect(count).toBe(1);
    expect(longestMs).toBeGreaterThan(3000);
    expect(longestMs).toBeLessThan(4500);
    expect(totalMs).toBe(longestMs);
  });

  it('are logged once a minute, and only while metrics arrive', () => {
    const log = new FakeLog();
    const { lines } = log;
    const harness = new ConversationHarness({}, { log }).live();
    for (let second = 0; second < 150; second += 1) {
      const metrics = { values: { wall_clock_ms: 200 } };
      harness.session.emit({ event: 'metrics', metrics, roundTripMs: 240 });
      harness.pass(1000);
    }
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('240');
    expect(harness.pass(120_000) && lines).toHaveLength(2);
  });

  it("from microphone to wire include the microphone's latency and the wait for unanswered appends", () => {
    const harness = new ConversationHarness(
      {},
      { microphone: { ...plainMicrophone, latencyMs: () => 12 } },
    ).live();
    const sent = { event: 'sent', inputId: 'a', samples: 16_000, frames: 0 } as const;
    harness.session.emit({ ...sent, forceListen: false });
    harness.session.emit({ ...sent, forceListen: false, waitedMs: 300 });
    expect(delaysOf(harness, 'micToWire')).toEqual([12, 312]);
  });
});
