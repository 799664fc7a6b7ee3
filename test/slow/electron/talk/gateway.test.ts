import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import type { ServerProfile } from '../../../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { askAndWait, gatewayHarness } from '../../../unit/electron/talk/gateway-harness.ts';

const bargeIn = { ...defaultBargeInOptions, enabled: false };

const servers: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['unified', 'llama-omni'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

describe.each(servers)('a talk with the embedded gateway, %s and %s', (dialect, profile) => {
  const stageOf = (more = {}, options = {}) =>
    gatewayHarness({ dialect, profile, ...more }, { bargeIn, ...options });

  it('plays an answer to its last sample and word', () => {
    const stage = stageOf().pass(30_000);
    expect(stage.phases.at(-1)).toBe('live');
    askAndWait(stage);
    stage.pass(12_000);
    const samples = stage.emittedOf('audio').reduce((sum, { audio }) => sum + audio.length, 0);
    const text = stage.emittedOf('text').reduce((all, { text }) => all + text, '');
    expect(samples).toBeGreaterThan(24_000);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.speaker.heard()).toBeGreaterThanOrEqual(samples);
    expect(stage.emittedOf('listen').every(({ flushedSamples }) => flushedSamples === 0)).toBe(
      true,
    );
    expect(stage.emittedOf('turnHeard')).toMatchObject([{ heard: text, cut: '' }]);
  });

  it('sends each second at once in five minutes of questions and answers', () => {
    const stage = stageOf().pass(30_000);
    for (let question = 0; question < 20; question += 1) {
      askAndWait(stage);
      stage.pass(12_000);
    }
    const waits = stage.emittedOf('sent').map(({ waitedMs = 0 }) => waitedMs);
    expect(stage.emittedOf('turnEnded').length).toBeGreaterThanOrEqual(20);
    expect(waits.length).toBeGreaterThan(240);
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    expect(stage.emittedOf('dropped')).toEqual([]);
  });

  it('stops an answer when the user speaks over it, and reports what was heard', () => {
    const stage = stageOf().pass(30_000);
    askAndWait(stage);
    stage.pass(1000);
    stage.pass(1800, 0.3);
    expect(stage.emittedOf('listen').some(({ yields }) => yields)).toBe(true);
    expect(stage.pass(200).speaker.queued()).toBe(0);
    const [turn] = stage.emittedOf('turnHeard');
    const texts = stage.emittedOf('text').filter((event) => event.turn === turn?.turn);
    expect(`${turn?.heard}${turn?.cut}`).toBe(texts.reduce((all, { text }) => all + text, ''));
    expect(stage.emittedOf('turnEnded')).toEqual([]);
  });

  it('silences an answer at once and for good when the user interrupts', () => {
    const stage = stageOf().pass(30_000);
    askAndWait(stage);
    stage.pass(500);
    stage.talk.interrupt();
    expect(stage.speaker.queued()).toBe(0);
    const deltas = stage.emittedOf('audio').length;
    stage.pass(3000);
    expect(stage.emittedOf('audio')).toHaveLength(deltas);
    expect(stage.emittedOf('sent').filter(({ forceListen }) => forceListen).length).toBeGreaterThan(
      0,
    );
    // Once the server has yielded, Parley no longer forces it to listen.
    askAndWait(stage);
    expect(stage.emittedOf('audio').length).toBeGreaterThan(deltas);
  });

  it('sends silence, and gets no answer, until the talk key is pressed', () => {
    const stage = stageOf({}, { talking: 'hold' }).pass(30_000);
    const before = stage.emittedOf('sent').length;
    stage.pass(3000, 0.3);
    expect(stage.emittedOf('sent').length).toBe(before + 3);
    stage.pass(2000);
    expect(stage.emittedOf('audio')).toEqual([]);
    stage.talk.controls.press();
    stage.pass(900, 0.3);
    stage.talk.controls.release();
    stage.pass(4000);
    expect(stage.emittedOf('audio').length).toBeGreaterThan(0);
  });

  it('continues in a new turn after the connection was cut', () => {
    const stage = stageOf({
      faults: [
        {
          kind: 'drop',
          atStep: 6,
          session: dialect === 'unified' || profile === 'documented' ? 1 : 2,
        },
      ],
    });
    for (let tries = 0; tries < 40 && stage.phases.at(-1) !== 'live'; tries += 1) stage.pass(1000);
    stage.pass(7000);
    expect(stage.phases).toContain('reconnecting');
    for (let tries = 0; tries < 10 && stage.phases.at(-1) !== 'live'; tries += 1) stage.pass(1000);
    expect(stage.phases.at(-1)).toBe('live');
    askAndWait(stage);
    expect(stage.emittedOf('audio').length).toBeGreaterThan(0);
  });

  it('ends with an offer at the time limit, and continues when the user accepts', async () => {
    const stage = stageOf({ sessionSeconds: { audio: 60, video: 60 } }, { sessionSeconds: 60 });
    stage.pass(20_000);
    askAndWait(stage);
    for (let tries = 0; tries < 80 && stage.phases.at(-1) !== 'ended'; tries += 1) stage.pass(1000);
    expect(stage.emittedOf('warning').map(({ warning }) => warning.threshold)).toContain(15);
    expect(stage.emittedOf('talk').at(-1)?.state).toMatchObject({
      phase: 'ended',
      ending: { error: { code: 'timeLimitReached' } },
      offer: 'continue',
    });
    stage.talk.continueTalk('transcript');
    stage.pass(2000);
    expect(stage.phases.at(-1)).toBe('live');
    const closing = stage.talk.close();
    stage.pass(5000);
    await closing;
  });
});

describe.each([200, 700, 1200])('a talk with llama-omni, whose sound is %i ms late', (ms) => {
  it('sends each second at once and cuts no answer, though three of ten listens are lost', () => {
    const stage = gatewayHarness(
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
      askAndWait(stage);
      stage.pass(12_000);
      if (question % 5 === 4) {
        askAndWait(stage);
        stage.pass(2000);
        stage.talk.interrupt();
        stage.pass(10_000);
      }
    }
    const waits = stage.emittedOf('sent').map(({ waitedMs = 0 }) => waitedMs);
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    expect(stage.emittedOf('dropped')).toEqual([]);
    const withWords = new Set(stage.emittedOf('text').map(({ turn }) => turn));
    expect(stage.emittedOf('audio').filter(({ turn }) => !withWords.has(turn))).toEqual([]);
    const whole = stage.emittedOf('turnHeard').filter(({ cut }) => cut === '');
    expect(whole.length).toBeGreaterThanOrEqual(20);
    expect(stage.emittedOf('turnHeard').length - whole.length).toBeLessThanOrEqual(4);
  });
});
