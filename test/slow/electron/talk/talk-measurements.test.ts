import { afterEach, describe, expect, it, vi } from 'vitest';
import { TalkPublisher } from '../../../../electron/talk/talk-reporter.ts';
import { GraphFeed } from '../../../../renderer/inspector/graph.tsx';
import { workFolder } from '../../../fakes/work-folder.ts';
import { endCores, gatewayCore, patience } from './gateway-core.ts';

afterEach(endCores);

const playout = {
  bufferMs: 300,
  targetMs: 200,
  concealedSamples: 0,
  concealmentEvents: 0,
  insertedSamples: 0,
  gapsOver20Ms: 0,
  startDelayMs: undefined,
};
const unanswered = { spokenSeconds: 3, steps: 2 };
const stats = { playout, unanswered };

describe('the measurements of a talk', () => {
  it('are posted with each step: the buffer, the step, and the newest value of each kind since the last step', () => {
    const posted: unknown[] = [];
    const publisher = new TalkPublisher((_name, payload) => {
      posted.push(payload);
    });
    publisher.publish({ event: 'measure', kind: 'wireToSound', ms: 80 });
    publisher.publish({ event: 'measure', kind: 'wireToSound', ms: 90 });
    expect(posted).toEqual([]);
    const metrics = { values: { wall_clock_ms: 180 } };
    publisher.publishStep({ event: 'metrics', metrics, roundTripMs: 250 }, stats);
    const memory = { spent: { pictures: 64, sound: 12, words: 20 }, estimated: [] };
    const changes = { echo: 'heard', memory } as const;
    publisher.publishStep({ event: 'metrics', metrics: { values: {} } }, stats, changes);
    const buffer = { bufferMs: 300, targetMs: 200 };
    expect(posted).toEqual([
      { buffer, unanswered, latest: { wireToSound: 90, roundTrip: 250, serverStep: 180 } },
      { buffer, echo: 'heard', memory, unanswered, latest: {} },
    ]);
  });

  it('are drawn by the inspector for a talk with the embedded gateway', async () => {
    const core = gatewayCore(workFolder()('state'));
    const feed = new GraphFeed();
    core.notices.listen((notice) => {
      feed.apply(notice, 0);
    });
    await core.ask('startTalk', { mode: 'audio' });
    await vi.waitFor(() => {
      expect(core.payloads('talkState').at(-1)?.phase).toBe('live');
    }, patience);
    for (const step of [1, 2]) {
      core.devices.microphones[0]?.hear(new Float32Array(16_000));
      await vi.waitFor(() => {
        expect(core.payloads('talkStep')).toHaveLength(step);
      }, patience);
    }
    const { roundTrip, serverStep, micToWire } = feed.lines;
    // The gateway reports 200 ms for a step; the rest is transport.
    expect(serverStep.since(0).map(({ value }) => value)).toEqual([200, 200]);
    expect(roundTrip.since(0)).toHaveLength(2);
    expect(roundTrip.last).toBeGreaterThan(150);
    expect(micToWire.since(0)).toHaveLength(2);
    // Instructions, two seconds of sound and the free tokens fill the context.
    const { pictures = 0, sound = 0, words = 0 } = feed.memory?.spent ?? {};
    const all = pictures + sound + words + (feed.memory?.left ?? 0);
    // The free tokens are reported when they have changed by 64.
    expect(Math.abs(all - 8192)).toBeLessThan(64);
    expect([pictures, sound > 20, words > 50]).toEqual([0, true, true]);
  });
});
