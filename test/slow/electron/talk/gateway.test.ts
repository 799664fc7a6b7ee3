import { describe, expect, it, afterEach, vi } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import type { ServerProfile } from '../../../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { askAndWait, gatewayHarness } from '../../../unit/electron/talk/gateway-harness.ts';
import { TalkPublisher } from '../../../../electron/talk/talk-reporter.ts';
import { GraphFeed } from '../../../../renderer/inspector/graph.tsx';
import { workFolder } from '../../../fakes/work-folder.ts';
import { endCores, gatewayCore, patience } from './gateway-core.ts';

const bargeIn = { ...defaultBargeInOptions, enabled: false };

const servers: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['unified', 'llama-omni'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

describe.each(servers)('a talk with the embedded gateway, %s and %s', (dialect, profile) => {
  const harnessWith = (more = {}, options = {}) =>
    gatewayHarness({ dialect, profile, ...more }, { bargeIn, ...options });

  it('plays an answer to its last sample and word', () => {
    const harness = harnessWith().pass(30_000);
    expect(harness.phases.at(-1)).toBe('live');
    askAndWait(harness);
    harness.pass(12_000);
    const samples = harness.emittedOf('audio').reduce((sum, { audio }) => sum + audio.length, 0);
    const text = harness.emittedOf('text').reduce((all, { text }) => all + text, '');
    expect(samples).toBeGreaterThan(24_000);
    expect(harness.speaker.queued()).toBe(0);
    expect(harness.speaker.heard()).toBeGreaterThanOrEqual(samples);
    expect(harness.emittedOf('listen').every(({ flushedSamples }) => flushedSamples === 0)).toBe(
      true,
    );
    expect(harness.emittedOf('turnHeard')).toMatchObject([{ heard: text, cut: '' }]);
  });

  it('sends each second at once in five minutes of questions and answers', () => {
    const harness = harnessWith().pass(30_000);
    for (let question = 0; question < 20; question += 1) {
      askAndWait(harness);
      harness.pass(12_000);
    }
    const waits = harness.emittedOf('sent').map(({ waitedMs = 0 }) => waitedMs);
    expect(harness.emittedOf('turnEnded').length).toBeGreaterThanOrEqual(20);
    expect(waits.length).toBeGreaterThan(240);
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    expect(harness.emittedOf('dropped')).toEqual([]);
  });

  it('stops an answer when the user speaks over it, and reports what was heard', () => {
    const harness = harnessWith().pass(30_000);
    askAndWait(harness);
    harness.pass(1000);
    harness.pass(1800, 0.3);
    expect(harness.emittedOf('listen').some(({ yields }) => yields)).toBe(true);
    expect(harness.pass(200).speaker.queued()).toBe(0);
    const [turn] = harness.emittedOf('turnHeard');
    const texts = harness.emittedOf('text').filter((event) => event.turn === turn?.turn);
    expect(`${turn?.heard}${turn?.cut}`).toBe(texts.reduce((all, { text }) => all + text, ''));
    expect(harness.emittedOf('turnEnded')).toEqual([]);
  });

  it('sends silence, and gets no answer, until the talk key is pressed', () => {
    const harness = harnessWith({}, { talking: 'hold' }).pass(30_000);
    const before = harness.emittedOf('sent').length;
    harness.pass(3000, 0.3);
    expect(harness.emittedOf('sent').length).toBe(before + 3);
    harness.pass(2000);
    expect(harness.emittedOf('audio')).toEqual([]);
    harness.talk.controls.press();
    harness.pass(900, 0.3);
    harness.talk.controls.release();
    harness.pass(4000);
    expect(harness.emittedOf('audio').length).toBeGreaterThan(0);
  });

  it('ends with an offer at the time limit, and continues when the user accepts', async () => {
    const harness = harnessWith(
      { sessionSeconds: { audio: 60, video: 60 } },
      { sessionSeconds: 60 },
    );
    harness.pass(20_000);
    askAndWait(harness);
    for (let tries = 0; tries < 80 && harness.phases.at(-1) !== 'ended'; tries += 1)
      harness.pass(1000);
    expect(harness.emittedOf('warning').map(({ warning }) => warning.threshold)).toContain(15);
    expect(harness.emittedOf('talk').at(-1)?.state).toMatchObject({
      phase: 'ended',
      ending: { error: { code: 'timeLimitReached' } },
      offer: 'continue',
    });
    harness.talk.continueTalk('transcript');
    harness.pass(2000);
    expect(harness.phases.at(-1)).toBe('live');
    const closing = harness.talk.close();
    harness.pass(5000);
    await closing;
  });
});

describe.each([200, 700, 1200])('a talk with llama-omni, whose sound is %i ms late', (ms) => {
  it('sends each second at once and cuts no answer, though three of ten listens are lost', () => {
    const harness = gatewayHarness(
      {
        dialect: 'unified',
        profile: 'llama-omni',
        faults: [
          { kind: 'lateSound', ms },
          { kind: 'lostListens', share: 0.3 },
        ],
      },
      { bargeIn },
    ).pass(30_000);
    for (let question = 0; question < 20; question += 1) {
      askAndWait(harness);
      harness.pass(12_000);
      if (question % 5 === 4) {
        askAndWait(harness);
        harness.pass(2000);
        harness.talk.interrupt();
        harness.pass(10_000);
      }
    }
    const waits = harness.emittedOf('sent').map(({ waitedMs = 0 }) => waitedMs);
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    expect(harness.emittedOf('dropped')).toEqual([]);
    const withWords = new Set(harness.emittedOf('text').map(({ turn }) => turn));
    expect(harness.emittedOf('audio').filter(({ turn }) => !withWords.has(turn))).toEqual([]);
    const whole = harness.emittedOf('turnHeard').filter(({ cut }) => cut === '');
    expect(whole.length).toBeGreaterThanOrEqual(20);
    expect(harness.emittedOf('turnHeard').length - whole.length).toBeLessThanOrEqual(4);
  });
});

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
    const context = { spent: { pictures: 64, sound: 12, words: 20 }, estimated: [] };
    const changes = { echo: 'heard', context } as const;
    publisher.publishStep({ event: 'metrics', metrics: { values: {} } }, stats, changes);
    const buffer = { bufferMs: 300, targetMs: 200 };
    expect(posted).toEqual([
      { buffer, unanswered, latest: { wireToSound: 90, roundTrip: 250, serverStep: 180 } },
      { buffer, echo: 'heard', context, unanswered, latest: {} },
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
    const { pictures = 0, sound = 0, words = 0 } = feed.contextUse?.spent ?? {};
    const all = pictures + sound + words + (feed.contextUse?.left ?? 0);
    // The free tokens are reported when they have changed by 64.
    expect(Math.abs(all - 8192)).toBeLessThan(64);
    expect([pictures, sound > 20, words > 50]).toEqual([0, true, true]);
  });
});
