import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import type { ConversationOptions } from '../../../../electron/talk/conversation-options.ts';
import { englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import { askAndWait, gatewayHarness } from '../../../unit/electron/talk/gateway-harness.ts';
import { LongTalk, medianOf, serverKinds } from '../../../unit/electron/talk/long-talk.ts';
import type { ConversationHarness } from '../../../unit/electron/talk/conversation-harness.ts';

const limit = 60;
const minute = { sessionSeconds: { audio: limit, video: limit } } as const;

/** Starts a talk with sessions of a minute, unless `gateway` has other ones. `options.sessionSeconds` is the limit that Parley knows. */
function longTalk(
  gateway: Partial<GatewayOptions> = {},
  options: Partial<ConversationOptions> = {},
): ConversationHarness {
  const stage = gatewayHarness(
    { ...minute, ...gateway },
    {
      handsOver: true,
      sessionSeconds: limit,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      ...options,
    },
  );
  for (let waited = 0; waited < 30 && stage.state?.phase !== 'live'; waited += 1) stage.pass(1000);
  expect(stage.state?.phase).toBe('live');
  return stage;
}

/** Asks this many questions a few seconds apart. */
function talk(stage: ConversationHarness, questions: number, pauseMs = 9000): ConversationHarness {
  for (let asked = 0; asked < questions; asked += 1) {
    askAndWait(stage);
    stage.pass(pauseMs);
  }
  return stage;
}

function expectAllHeard(stage: ConversationHarness, questions: number): void {
  const heard = stage.emittedOf('turnHeard');
  expect(heard.filter(({ cut }) => cut !== '')).toEqual([]);
  expect(new Set(heard.map(({ turn }) => turn)).size).toBe(heard.length);
  expect(heard).toHaveLength(questions);
}

describe.each(serverKinds)('a talk over many sessions, %s and %s', (dialect, profile) => {
  it('continues over sessions of a minute without losing a word of an answer', () => {
    const stage = longTalk({ dialect, profile });
    const before = stage.phases.length;
    talk(stage, 15);
    const handOvers = stage.emittedOf('handedOver');
    expect(handOvers.length).toBeGreaterThanOrEqual(3);
    for (const { heldMs } of handOvers) expect(heldMs).toBeLessThanOrEqual(700);
    expect(stage.phases.slice(before)).toEqual([]);
    expect(stage.emittedOf('warning')).toEqual([]);
    expectAllHeard(stage, 15);
  });

  // `npm run bench -- hand-over` runs thirty hand-overs over an hour.
  it('loses no word of either side in ten hand-overs, and delays no answer', () => {
    const maxAddedMs = 700;
    const talk = new LongTalk([dialect, profile], 30);
    const before = talk.phases.length;
    while (talk.handOvers < 10 && talk.questions.length < 150) talk.turn();
    expect(talk.handOvers).toBe(10);
    expect(talk.phases.slice(before)).toEqual([]);
    expect(talk.uplink()).toMatchObject({ missing: 0, disorder: 0 });
    expect(talk.questions.filter(({ waitedMs }) => waitedMs === undefined)).toEqual([]);
    expect(talk.answers()).toEqual({ notHeard: [], cut: [] });
    const { across, within } = talk.waits();
    // Without questions during a hand-over, the comparison would show nothing.
    expect(across.length).toBeGreaterThan(0);
    expect(medianOf(across) - medianOf(within)).toBeLessThanOrEqual(maxAddedMs);
    const added = talk.silences.map(({ silenceMs, serverMs }) => silenceMs - serverMs);
    expect(medianOf(added)).toBeLessThanOrEqual(maxAddedMs);
  }, 60_000);

  it('receives ten results of tools by early hand-overs, and loses no word of an answer', () => {
    const unlimited = { sessionSeconds: { audio: 600, video: 600 } };
    const stage = longTalk(
      { dialect, profile, ...unlimited },
      { sessionSeconds: 600, talkTools: englishTalkToolPrompts },
    );
    const before = stage.phases.length;
    for (let count = 0; count < 10; count += 1) {
      askAndWait(stage);
      stage.pass(20_000);
      const result = { id: `r${count}`, asked: 'Calculate 6 * 7', calls: [], answer: '42' };
      stage.talk.addResult(result, 300);
      stage.pass(8000);
      expect(stage.emittedOf('resultsGiven').at(-1)?.ids).toContain(`r${count}`);
    }
    const waits = stage.emittedOf('handedOver').map(({ heldMs }) => heldMs);
    expect(waits).toHaveLength(10);
    expect(medianOf(waits)).toBeLessThanOrEqual(300);
    expect(Math.max(...waits)).toBeLessThanOrEqual(700);
    expect(stage.phases.slice(before)).toEqual([]);
    expectAllHeard(stage, 10);
  });
});

describe('the next session', () => {
  it('is another session of the server', () => {
    const stage = talk(longTalk(), 5);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThan(0);
    const sessions = stage.emittedOf('session').map(({ id }) => id);
    expect(new Set(sessions).size).toBe(sessions.length);
  });

  it('opens after the present one ended if the server has one worker', () => {
    const stage = talk(longTalk({ workers: 1 }), 12);
    expect(stage.state?.phase).toBe('live');
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.phases).toContain('reconnecting');
    expect(stage.emittedOf('turnHeard').length).toBeGreaterThanOrEqual(11);
  });

  it('follows a session that ends earlier than known, and the limit is learned', () => {
    const stage = talk(
      longTalk({ sessionSeconds: { audio: 40, video: 40 } }, { sessionSeconds: 600 }),
      14,
    );
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThanOrEqual(2);
  });

  it.each([500, 1500])(
    'follows a session whose %d tokens are full, and the size is learned',
    (size) => {
      const hour = { sessionSeconds: { audio: 3600, video: 3600 } };
      const stage = longTalk(
        { ...hour, profile: 'documented', contextTokens: size },
        { sessionSeconds: 3600 },
      );
      talk(stage, 50, 4000);
      expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
      expect(stage.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
      expect(stage.emittedOf('handedOver').length).toBeGreaterThan(0);
    },
  );

  it('is requested again after a pause if it was refused', () => {
    const stage = longTalk({ faults: [{ kind: 'handover403', session: 2 }] });
    talk(stage, 8);
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThanOrEqual(1);
    expectAllHeard(stage, 8);
  });

  it('does not follow a session in which nobody talks', () => {
    const stage = longTalk();
    stage.pass(80_000);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    expect(stage.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    // The warning lets a user who returns speak before the end.
    expect(stage.emittedOf('warning').length).toBeGreaterThan(0);
  });

  it('replaces the warning about the end, even if nothing was said in the present one', () => {
    const short = { sessionSeconds: { audio: 24, video: 24 } };
    const quiet = talk(longTalk(short, { sessionSeconds: 24 }), 3);
    expect(quiet.emittedOf('handedOver').length).toBeGreaterThan(0);
    expect(quiet.emittedOf('warning')).toEqual([]);
    // The present session has no answer yet.
    const young = talk(longTalk(short, { sessionSeconds: 24 }), 1, 0);
    for (
      let waited = 0;
      waited < 20_000 && young.emittedOf('handedOver').length === 0;
      waited += 20
    )
      young.pass(20);
    young.pass(12_000);
    expect(young.emittedOf('handedOver')).toHaveLength(1);
    expect(young.emittedOf('warning')).toEqual([]);
  });

  it('does not follow if hand-overs are off', () => {
    const stage = gatewayHarness(minute, { sessionSeconds: limit });
    stage.pass(80_000);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    expect(stage.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    expect(stage.emittedOf('warning').length).toBeGreaterThan(0);
  });
});
