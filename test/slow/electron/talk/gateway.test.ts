import { describe, expect, it } from 'vitest';
import type { ServerProfile } from '../../../../electron/gateway/gateway-options.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { askAndWait, gatewayStage } from '../../../unit/electron/talk/gateway-stage.ts';

const servers: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['unified', 'llama-omni'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

describe.each(servers)('with the embedded gateway, %s and %s', (dialect, profile) => {
  const stageOf = (more = {}, options = {}) =>
    gatewayStage({ dialect, profile, ...more }, { bargeIn: off, ...options });

  it('hears an answer to the last sample and the last word', () => {
    const stage = stageOf().pass(30_000);
    expect(stage.phases.at(-1)).toBe('live');
    askAndWait(stage);
    stage.pass(12_000);
    const sent = stage.emittedOf('audio').reduce((sum, { audio }) => sum + audio.length, 0);
    const text = stage.emittedOf('text').reduce((all, { text }) => all + text, '');
    expect(sent).toBeGreaterThan(24_000);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.speaker.heard()).toBeGreaterThanOrEqual(sent);
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
    const late = stage.emittedOf('sent').map(({ waitedMs = 0 }) => waitedMs);
    expect(stage.emittedOf('turnEnded').length).toBeGreaterThanOrEqual(20);
    expect(late.length).toBeGreaterThan(240);
    expect(Math.max(...late)).toBeLessThanOrEqual(300);
    expect(stage.emittedOf('dropped')).toEqual([]);
  });

  it('stops when talked over, and reports what was heard', () => {
    const stage = stageOf().pass(30_000);
    askAndWait(stage);
    stage.pass(1000);
    stage.pass(1800, 0.3);
    const yielded = stage.emittedOf('listen').find(({ yields }) => yields);
    expect(yielded).toBeDefined();
    expect(stage.pass(200).speaker.queued()).toBe(0);
    const [turn] = stage.emittedOf('turnHeard');
    const said = stage.emittedOf('text').filter((event) => event.turn === turn?.turn);
    expect(`${turn?.heard}${turn?.cut}`).toBe(said.reduce((all, { text }) => all + text, ''));
    // The answer had not ended.
    expect(stage.emittedOf('turnEnded')).toEqual([]);
  });

  it('an interruption silences the answer at once and for good', () => {
    const stage = stageOf().pass(30_000);
    askAndWait(stage);
    stage.pass(500);
    stage.talk.interrupt();
    expect(stage.speaker.queued()).toBe(0);
    const heard = stage.emittedOf('audio').length;
    stage.pass(3000);
    expect(stage.emittedOf('audio')).toHaveLength(heard);
    expect(stage.emittedOf('sent').filter(({ forceListen }) => forceListen).length).toBeGreaterThan(
      0,
    );
    // Once the answer yields, the app stops forcing steps and the server answers again.
    askAndWait(stage);
    expect(stage.emittedOf('audio').length).toBeGreaterThan(heard);
  });

  it('sends silence while the key is up, which keeps the server going', () => {
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

  it('continues after the limit is reached', async () => {
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

const off = { enabled: false, shortMs: 600, aboveNoiseDb: 12 };

describe.each([200, 700, 1200])('with the C++ server whose sound is %i ms late', (ms) => {
  it('sends each second at once and cuts nothing, though three of ten listens are lost', () => {
    const stage = gatewayStage(
      {
        dialect: 'unified',
        profile: 'llama-omni',
        faults: [
          { kind: 'lateSound', ms },
          { kind: 'lostListens', share: 0.3 },
        ],
      },
      { bargeIn: off },
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
    const waited = stage.emittedOf('sent').map(({ waitedMs = 0 }) => waitedMs);
    expect(Math.max(...waited)).toBeLessThanOrEqual(300);
    expect(stage.emittedOf('dropped')).toEqual([]);
    const withWords = new Set(stage.emittedOf('text').map(({ turn }) => turn));
    expect(stage.emittedOf('audio').filter(({ turn }) => !withWords.has(turn))).toEqual([]);
    const whole = stage.emittedOf('turnHeard').filter(({ cut }) => cut === '');
    expect(whole.length).toBeGreaterThanOrEqual(20);
    expect(stage.emittedOf('turnHeard').length - whole.length).toBeLessThanOrEqual(4);
  });
});
