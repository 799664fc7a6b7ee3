import { describe, expect, it } from 'vitest';
import type { GatewayOptions, ServerProfile } from '../../../../electron/gateway/gateway.ts';
import type { DialectName } from '../../../../shared/protocol/dialect-and-mode.ts';
import { defaultBargeInOptions } from '../../../../shared/sound/barge-in-options.ts';
import { askAndWait, gatewayStage } from './gateway-stage.ts';
import { lost, Stage } from './stage.ts';

const servers: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

const limit = 60;
const minute = { sessionSeconds: { audio: limit, video: limit } } as const;

/** `known` is what Parley takes for the server's limit. */
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

/** Asks so often, with some seconds between. */
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

describe.each(servers)('a talk with a server of a minute, %s and %s', (dialect, profile) => {
  it('goes on over its sessions without a word of either side lost', () => {
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
  it('is told what was said', () => {
    const stage = talk(longTalk(), 5);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThan(0);
    const sessions = stage.emittedOf('session').map(({ id }) => id);
    expect(new Set(sessions).size).toBe(sessions.length);
  });

  it('waits where the present one has the only place, and has it then', () => {
    const stage = talk(longTalk({ workers: 1 }), 12);
    expect(stage.state?.phase).toBe('live');
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.phases).toContain('reconnecting');
    expect(stage.emittedOf('turnHeard').length).toBeGreaterThanOrEqual(11);
  });

  it('follows one that ends sooner than anybody knew, which is learned', () => {
    const stage = talk(longTalk({ sessionSeconds: { audio: 40, video: 40 } }, 600), 14);
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.phases.filter((phase) => phase === 'reconnecting')).toHaveLength(1);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThanOrEqual(2);
  });

  it('follows one whose context is full', () => {
    const stage = talk(
      longTalk({ contextTokens: 1500, sessionSeconds: { audio: 600, video: 600 } }, 600),
      14,
    );
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
  });

  it('is asked for again, and not at once, where it was refused', () => {
    const stage = longTalk({ faults: [{ kind: 'handover403', session: 2 }] });
    talk(stage, 8);
    expect(stage.phases.filter((phase) => phase === 'ended')).toEqual([]);
    expect(stage.emittedOf('handedOver').length).toBeGreaterThanOrEqual(1);
    expectAllHeard(stage, 8);
  });

  it('does not follow one in which nobody talks any more', () => {
    const stage = longTalk();
    stage.pass(80_000);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    expect(stage.state).toMatchObject({ phase: 'ended', offer: 'continue' });
  });

  it('never comes by itself where the person wants to be asked', () => {
    const stage = gatewayStage(minute, { sessionSeconds: limit });
    stage.pass(80_000);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    expect(stage.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    expect(stage.emittedOf('warning').length).toBeGreaterThan(0);
  });
});

describe('what was said and not answered', () => {
  const loud = (samples: readonly number[]): number => samples.filter((each) => each > 0.2).length;
  const second = 16_000;

  function live(): Stage {
    const stage = new Stage({ handsOver: true, sessionSeconds: limit }).live();
    return stage.says('Hello.', 0.5).ends().pass(28_000);
  }

  it('is said again to the next session, and once', () => {
    const stage = live().pass(1000, 0.3).pass(9500);
    expect(stage.sessions).toHaveLength(2);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(stage.sessions[0]?.calls).toContain('end');
    expect(loud(stage.session.heard)).toBe(second);
  });

  it('is not said again where it was answered', () => {
    const stage = live().pass(1000, 0.3).says('Yes.', 0.5).ends().pass(3000);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(loud(stage.session.heard)).toBe(0);
  });

  it('goes to the next one where it was said while that was coming', () => {
    const stage = live().pass(3000);
    expect(stage.sessions).toHaveLength(2);
    stage.pass(500, 0.3);
    expect(loud(stage.sessions[0]?.heard ?? [])).toBe(0);
    stage.live().pass(1000);
    expect(loud(stage.session.heard)).toBe(second / 2);
  });

  it('goes to the present one where the next does not come in time', () => {
    const stage = live().pass(3000).pass(500, 0.3).pass(4000);
    expect(loud(stage.sessions[0]?.heard ?? [])).toBe(second / 2);
    expect(stage.emittedOf('handedOver')).toEqual([]);
    stage.live().pass(10_000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
  });

  it('is not lost where the present session ends while the next is coming', () => {
    const stage = live().pass(3000).pass(500, 0.3);
    stage.sessions[0]?.close(lost);
    expect(stage.state?.phase).toBe('reconnecting');
    stage.live().pass(1000);
    expect(stage.state?.phase).toBe('live');
    expect(loud(stage.session.heard)).toBe(second / 2);
  });
});
