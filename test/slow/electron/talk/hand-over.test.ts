import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { askAndWait, gatewayStage } from '../../../unit/electron/talk/gateway-stage.ts';
import { serverKinds } from '../../../unit/electron/talk/long-talk.ts';
import { lost, type PlayedSession, Stage } from '../../../unit/electron/talk/stage.ts';

const limit = 60;
const minute = { sessionSeconds: { audio: limit, video: limit } } as const;

/** `known` is the server's limit as Parley believes it. */
function longTalk(gateway: Partial<GatewayOptions> = {}, known = limit): Stage {
  const stage = gatewayStage(
    { ...minute, ...gateway },
    {
      handsOver: true,
      sessionSeconds: known,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
    },
  );
  for (let waited = 0; waited < 30 && stage.state?.phase !== 'live'; waited += 1) stage.pass(1000);
  expect(stage.state?.phase).toBe('live');
  return stage;
}

/** Asks this many questions a few seconds apart. */
function talk(stage: Stage, questions: number, pauseMs = 9000): Stage {
  for (let asked = 0; asked < questions; asked += 1) {
    askAndWait(stage);
    stage.pass(pauseMs);
  }
  return stage;
}

function expectAllHeard(stage: Stage, questions: number): void {
  const heard = stage.emittedOf('turnHeard');
  expect(heard.filter(({ cut }) => cut !== '')).toEqual([]);
  expect(new Set(heard.map(({ turn }) => turn)).size).toBe(heard.length);
  expect(heard).toHaveLength(questions);
}

describe.each(serverKinds)('a talk over sessions of a minute, %s and %s', (dialect, profile) => {
  it('continues over several sessions without losing a word of either side', () => {
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
});

describe('the next session', () => {
  it('receives the transcript so far', () => {
    const stage = talk(longTalk(), 5);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThan(0);
    const sessions = stage.emittedOf('session').map(({ id }) => id);
    expect(new Set(sessions).size).toBe(sessions.length);
  });

  it('waits for the only place, which the present session has', () => {
    const stage = talk(longTalk({ workers: 1 }), 12);
    expect(stage.state?.phase).toBe('live');
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.phases).toContain('reconnecting');
    expect(stage.emittedOf('turnHeard').length).toBeGreaterThanOrEqual(11);
  });

  it('follows a session that ends earlier than known, and the limit is learned', () => {
    const stage = talk(longTalk({ sessionSeconds: { audio: 40, video: 40 } }, 600), 14);
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThanOrEqual(2);
  });

  it.each([500, 1500])(
    'follows a session whose %d tokens are full, and the size is learned',
    (size) => {
      const hour = { sessionSeconds: { audio: 3600, video: 3600 } };
      const stage = longTalk({ ...hour, profile: 'documented', contextTokens: size }, 3600);
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
    // A user who returns can still say something before the end.
    expect(stage.emittedOf('warning').length).toBeGreaterThan(0);
  });

  it('suppresses the warning about the end', () => {
    const short = { sessionSeconds: { audio: 24, video: 24 } };
    const quiet = talk(longTalk(short, 24), 3);
    expect(quiet.emittedOf('handedOver').length).toBeGreaterThan(0);
    expect(quiet.emittedOf('warning')).toEqual([]);
    // The next session has just begun, and nothing was said in it yet.
    const young = talk(longTalk(short, 24), 1, 0);
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

  it('never comes unasked if the user wants to be asked', () => {
    const stage = gatewayStage(minute, { sessionSeconds: limit });
    stage.pass(80_000);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    expect(stage.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    expect(stage.emittedOf('warning').length).toBeGreaterThan(0);
  });
});

describe('speech without an answer', () => {
  const loud = (samples: readonly number[]): number => samples.filter((each) => each > 0.2).length;
  const second = 16_000;

  function sends(session: PlayedSession, seconds: number): void {
    const samples = seconds * second;
    session.emit({ event: 'sent', inputId: 'one', samples, frames: 0, forceListen: false });
  }

  function live(): Stage {
    const stage = new Stage({ handsOver: true, sessionSeconds: limit }).live();
    return stage.says('Hello.', 0.5).ends().pass(28_000);
  }

  it('is sent once to the next session', () => {
    const stage = live().pass(1000, 0.3).pass(9500);
    expect(stage.sessions).toHaveLength(2);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(stage.sessions[0]?.calls).toContain('end');
    expect(loud(stage.session.heard)).toBe(second);
  });

  it('is sent again without the wait for an answer', () => {
    const stage = live().pass(1000, 0.3).pass(9500);
    stage.live().pass(20);
    for (let count = 0; count < 12; count += 1) sends(stage.session, 1);
    // The pre-roll, the speech itself, and the pause that marks its end.
    expect(stage.session.heard.length).toBeLessThan(second * 5);
    expect(loud(stage.session.heard)).toBe(second);
  });

  it('is sent again from its start, though that was too short to be recognized as speech', () => {
    const before = live();
    while (before.sessions.length < 2) before.pass(20);
    const stage = live();
    // Speech is measured in blocks of 40 ms, so it ends in the middle of one.
    stage.talk.pushAudio(new Float32Array(320));
    stage.pass(before.clock.now() - stage.clock.now() - 20).pass(20, 0.3);
    expect(stage.sessions).toHaveLength(2);
    stage.pass(180, 0.3).live().pass(1000);
    expect(loud(stage.session.heard)).toBe(second / 5);
  });

  it('survives being buffered, given up and buffered again', () => {
    const stage = live().pass(3000).pass(500, 0.3);
    // The present session answers something earlier, so the next one is given up.
    stage.sessions[0]?.emit({ event: 'text', turn: 2, text: 'By the way.' });
    stage.pass(40);
    stage.sessions[0]?.emit({ event: 'turnEnded', turn: 2 });
    stage.pass(16_000);
    expect(stage.sessions).toHaveLength(3);
    stage.live().pass(1000);
    expect(loud(stage.session.heard)).toBe(second / 2);
  });

  it('waits while the present session still sends its backlog', () => {
    const stage = live().pass(3000).pass(500, 0.3);
    const [first] = stage.sessions;
    if (first !== undefined) sends(first, 60);
    expect(loud(first?.heard ?? [])).toBe(0);
    stage.live().pass(1000);
    expect(loud(stage.session.heard)).toBe(second / 2);
  });

  it('is sent in time though the next session was just refused', () => {
    const stage = live();
    for (let refused = 0; refused < 2; refused += 1) {
      const before = stage.sessions.length;
      for (let waited = 0; waited < 15_000 && stage.sessions.length === before; waited += 20)
        stage.pass(20);
      stage.session.close(lost);
    }
    expect(stage.sessions).toHaveLength(3);
    expect(stage.emittedOf('warning')).toEqual([]);
    stage.pass(8000);
    expect(stage.emittedOf('warning').map(({ warning }) => warning.threshold)).toEqual([15]);
  });

  it('is not sent again once it was answered', () => {
    const stage = live().pass(1000, 0.3).says('Yes.', 0.5).ends().pass(3000);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(loud(stage.session.heard)).toBe(0);
  });

  it('goes to the next session if said while that was opening', () => {
    const stage = live().pass(3000);
    expect(stage.sessions).toHaveLength(2);
    stage.pass(500, 0.3);
    expect(loud(stage.sessions[0]?.heard ?? [])).toBe(0);
    stage.live().pass(1000);
    expect(loud(stage.session.heard)).toBe(second / 2);
  });

  it('goes to the present session if the next one is late', () => {
    const stage = live().pass(3000).pass(500, 0.3).pass(4000);
    expect(loud(stage.sessions[0]?.heard ?? [])).toBe(second / 2);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    stage.live().pass(10_000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
  });

  it('survives if the present session ends while the next one opens', () => {
    const stage = live().pass(3000).pass(500, 0.3);
    stage.sessions[0]?.close(lost);
    expect(stage.state?.phase).toBe('reconnecting');
    stage.live().pass(1000);
    expect(stage.state?.phase).toBe('live');
    expect(loud(stage.session.heard)).toBe(second / 2);
  });
});
