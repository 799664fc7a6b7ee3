import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../../../shared/protocol/dialect-and-mode.ts';
import type { ServerProfile } from '../../../../electron/gateway/gateway.ts';
import { askAndWait, gatewayStage } from './gateway-stage.ts';

const servers: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

describe.each(servers)('with the embedded gateway, %s and %s', (dialect, manners) => {
  const stageOf = (more = {}, options = {}) =>
    gatewayStage({ dialect, profile: manners, ...more }, { overlap: off, ...options });

  it('hears an answer to its last sample and its last word', () => {
    const stage = stageOf().pass(30_000);
    expect(stage.phases.at(-1)).toBe('live');
    askAndWait(stage);
    stage.pass(12_000);
    const sent = stage.toldOf('audio').reduce((sum, { audio }) => sum + audio.length, 0);
    const text = stage.toldOf('text').reduce((all, { text }) => all + text, '');
    expect(sent).toBeGreaterThan(24_000);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.speaker.heard()).toBeGreaterThanOrEqual(sent);
    expect(stage.toldOf('listen').every(({ flushedSamples }) => flushedSamples === 0)).toBe(true);
    expect(stage.toldOf('turnHeard')).toMatchObject([{ heard: text, cut: '' }]);
  });

  it('falls silent when it is talked over, and says what was heard', () => {
    const stage = stageOf().pass(30_000);
    askAndWait(stage);
    stage.pass(1000);
    stage.pass(1800, 0.3);
    const yielded = stage.toldOf('listen').find(({ yields }) => yields);
    expect(yielded).toBeDefined();
    expect(stage.pass(200).speaker.queued()).toBe(0);
    const [turn] = stage.toldOf('turnHeard');
    const said = stage.toldOf('text').filter((event) => event.turn === turn?.turn);
    expect(`${turn?.heard}${turn?.cut}`).toBe(said.reduce((all, { text }) => all + text, ''));
    // The answer was not at its end.
    expect(stage.toldOf('turnEnded')).toEqual([]);
  });

  it('is interrupted: silent at once, and nothing of that answer is heard afterwards', () => {
    const stage = stageOf().pass(30_000);
    askAndWait(stage);
    stage.pass(500);
    stage.talk.interrupt();
    expect(stage.speaker.queued()).toBe(0);
    const heard = stage.toldOf('audio').length;
    stage.pass(3000);
    expect(stage.toldOf('audio')).toHaveLength(heard);
    expect(stage.toldOf('sent').filter(({ forceListen }) => forceListen).length).toBeGreaterThan(0);
    // Forced no longer once it has yielded: it answers again.
    askAndWait(stage);
    expect(stage.toldOf('audio').length).toBeGreaterThan(heard);
  });

  it('hears nothing while the key is up, and keeps the server going', () => {
    const stage = stageOf({}, { talking: 'hold' }).pass(30_000);
    const before = stage.toldOf('sent').length;
    stage.pass(3000, 0.3);
    expect(stage.toldOf('sent').length).toBe(before + 3);
    stage.pass(2000);
    expect(stage.toldOf('audio')).toEqual([]);
    stage.talk.controls.press();
    stage.pass(900, 0.3);
    stage.talk.controls.release();
    stage.pass(4000);
    expect(stage.toldOf('audio').length).toBeGreaterThan(0);
  });

  it('comes back after the line was cut, with another turn', () => {
    const stage = stageOf({
      faults: [
        {
          kind: 'drop',
          atStep: 6,
          session: dialect === 'unified' || manners === 'documented' ? 1 : 2,
        },
      ],
    });
    for (let tries = 0; tries < 40 && stage.phases.at(-1) !== 'live'; tries += 1) stage.pass(1000);
    stage.pass(7000);
    expect(stage.phases).toContain('reconnecting');
    for (let tries = 0; tries < 10 && stage.phases.at(-1) !== 'live'; tries += 1) stage.pass(1000);
    expect(stage.phases.at(-1)).toBe('live');
    askAndWait(stage);
    expect(stage.toldOf('audio').length).toBeGreaterThan(0);
  });

  it('runs into the limit, and goes on from there', async () => {
    const stage = stageOf({ sessionSeconds: { audio: 60, video: 60 } }, { sessionSeconds: 60 });
    stage.pass(20_000);
    askAndWait(stage);
    for (let tries = 0; tries < 80 && stage.phases.at(-1) !== 'ended'; tries += 1) stage.pass(1000);
    expect(stage.toldOf('warning').map(({ warning }) => warning.threshold)).toContain(15);
    expect(stage.toldOf('talk').at(-1)?.state).toMatchObject({
      phase: 'ended',
      ending: { error: { code: 'timeLimitReached' } },
      offer: 'continue',
    });
    stage.talk.goOn('transcript');
    stage.pass(2000);
    expect(stage.phases.at(-1)).toBe('live');
    const closing = stage.talk.close();
    stage.pass(5000);
    await closing;
  });
});

const off = { enabled: false, shortMs: 600, aboveNoiseDb: 12 };
