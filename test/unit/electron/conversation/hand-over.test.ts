import { describe, expect, it } from 'vitest';
import type { GatewayOptions, ServerProfile } from '../../../../electron/gateway/gateway.ts';
import type { DialectName } from '../../../../shared/protocol/dialect-and-mode.ts';
import { askAndWait, gatewayStage } from './gateway-stage.ts';
import type { Stage } from './stage.ts';

const servers: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

const limit = 60;
const limits = { sessionSeconds: { audio: limit, video: limit } } as const;

function longTalk(gateway: Partial<GatewayOptions>): Stage {
  return gatewayStage(
    { ...limits, ...gateway },
    { handsOver: true, sessionSeconds: limit, bargeIn: { ...offBargeIn } },
  );
}

const offBargeIn = { enabled: false, duckMs: 0, takeMs: 0 } as never;

describe.each(servers)('a talk with a server of a minute, %s and %s', (dialect, profile) => {
  it('goes on over its sessions without a word of either side lost', () => {
    const stage = longTalk({ dialect, profile }).pass(25_000);
    expect(stage.phases.at(-1)).toBe('live');
    const before = stage.phases.length;
    for (let asked = 0; asked < 15; asked += 1) {
      askAndWait(stage);
      stage.pass(9000);
    }
    const handOvers = stage.emittedOf('handedOver');
    expect(handOvers.length).toBeGreaterThanOrEqual(3);
    expect(stage.phases.slice(before)).toEqual([]);
    const heard = stage.emittedOf('turnHeard');
    expect(heard).toHaveLength(15);
    expect(heard.filter(({ cut }) => cut !== '')).toEqual([]);
    expect(new Set(heard.map(({ turn }) => turn)).size).toBe(15);
  });
});
