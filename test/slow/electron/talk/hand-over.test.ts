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
  const harness = gatewayHarness(
    { ...minute, ...gateway },
    {
      handsOver: true,
      sessionSeconds: limit,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      ...options,
    },
  );
  for (let waited = 0; waited < 30 && harness.state?.phase !== 'live'; waited += 1)
    harness.pass(1000);
  expect(harness.state?.phase).toBe('live');
  return harness;
}

/** Asks this many questions a few seconds apart. */
function talk(
  harness: ConversationHarness,
  questions: number,
  pauseMs = 9000,
): ConversationHarness {
  for (let asked = 0; asked < questions; asked += 1) {
    askAndWait(harness);
    harness.pass(pauseMs);
  }
  return harness;
}

function expectAllHeard(harness: ConversationHarness, questions: number): void {
  const heard = harness.emittedOf('turnHeard');
  expect(heard.filter(({ cut }) => cut !== '')).toEqual([]);
  expect(new Set(heard.map(({ turn }) => turn)).size).toBe(heard.length);
  expect(heard).toHaveLength(questions);
}

describe.each(serverKinds)('a talk over many sessions, %s and %s', (dialect, profile) => {
  it('continues over sessions of a minute without losing a word of an answer', () => {
    const harness = longTalk({ dialect, profile });
    const before = harness.phases.length;
    talk(harness, 15);
    const handOvers = harness.emittedOf('handedOver');
    expect(handOvers.length).toBeGreaterThanOrEqual(3);
    for (const { heldMs } of handOvers) expect(heldMs).toBeLessThanOrEqual(700);
    expect(harness.phases.slice(before)).toEqual([]);
    expect(harness.emittedOf('warning')).toEqual([]);
    expectAllHeard(harness, 15);
  });

  // `npm run bench -- hand-over` runs thirty hand-overs, and an hour of five-minute sessions.
  it('loses no word of either side in ten hand-overs, and delays answers by at most 700 ms (median)', () => {
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
    const harness = longTalk(
      { dialect, profile, ...unlimited },
      { sessionSeconds: 600, talkTools: englishTalkToolPrompts },
    );
    const before = harness.phases.length;
    for (let count = 0; count < 10; count += 1) {
      askAndWait(harness);
      harness.pass(20_000);
      const result = { id: `r${count}`, asked: 'Calculate 6 * 7', calls: [], answer: '42' };
      harness.talk.addResult(result, 300);
      harness.pass(8000);
      expect(harness.emittedOf('resultsGiven').at(-1)?.ids).toContain(`r${count}`);
    }
    const waits = harness.emittedOf('handedOver').map(({ heldMs }) => heldMs);
    expect(waits).toHaveLength(10);
    expect(medianOf(waits)).toBeLessThanOrEqual(300);
    expect(Math.max(...waits)).toBeLessThanOrEqual(700);
    expect(harness.phases.slice(before)).toEqual([]);
    expectAllHeard(harness, 10);
  });
});

describe('the next session', () => {
  it('is another session of the server', () => {
    const harness = talk(longTalk(), 5);
    expect(harness.emittedOf('handedOver').length).toBeGreaterThan(0);
    const sessions = harness.emittedOf('session').map(({ id }) => id);
    expect(new Set(sessions).size).toBe(sessions.length);
  });

  it('opens after the present one ended if the server has one worker', () => {
    const harness = talk(longTalk({ workers: 1 }), 12);
    expect(harness.state?.phase).toBe('live');
    expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(harness.phases).toContain('reconnecting');
    expect(harness.emittedOf('turnHeard').length).toBeGreaterThanOrEqual(11);
  });

  it('follows a session that ends earlier than known, and the limit is learned', () => {
    const harness = talk(
      longTalk({ sessionSeconds: { audio: 40, video: 40 } }, { sessionSeconds: 600 }),
      14,
    );
    expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(harness.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
    expect(harness.emittedOf('handedOver').length).toBeGreaterThanOrEqual(2);
  });

  it.each([500, 1500])(
    'follows a session whose %d tokens are full, and the size is learned',
    (size) => {
      const hour = { sessionSeconds: { audio: 3600, video: 3600 } };
      const harness = longTalk(
        { ...hour, profile: 'documented', contextTokens: size },
        { sessionSeconds: 3600 },
      );
      talk(harness, 50, 4000);
      expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
      expect(harness.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
      expect(harness.emittedOf('handedOver').length).toBeGreaterThan(0);
    },
  );

  it('is requested again after a pause if it was refused', () => {
    const harness = longTalk({ faults: [{ kind: 'handover403', session: 2 }] });
    talk(harness, 8);
    expect(harness.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(harness.emittedOf('handedOver').length).toBeGreaterThanOrEqual(1);
    expectAllHeard(harness, 8);
  });

  it('does not follow a session in which nobody talks', () => {
    const harness = longTalk();
    harness.pass(80_000);
    expect(harness.emittedOf('handedOver')).toEqual([]);
    expect(harness.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    // The warning lets a user who returns speak before the end.
    expect(harness.emittedOf('warning').length).toBeGreaterThan(0);
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
    const harness = gatewayHarness(minute, { sessionSeconds: limit });
    harness.pass(80_000);
    expect(harness.emittedOf('handedOver')).toEqual([]);
    expect(harness.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    expect(harness.emittedOf('warning').length).toBeGreaterThan(0);
  });
});
