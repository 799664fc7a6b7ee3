import {
  defaultGatewayOptions,
  type Fault,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import type { Random } from '../../shared/ports/clock.ts';

/** Options of an embedded gateway with random faults, timing and limits. */
export function randomGatewayOptions(random: Random): GatewayOptions {
  const faults: Fault[] = [];
  const add = (chance: number, fault: () => Fault): void => {
    if (random() < chance) faults.push(fault());
  };
  const step = (): number => 1 + Math.floor(60 * random());
  const session = (): number => 1 + Math.floor(8 * random());
  add(0.5, () => ({ kind: 'delay', ms: 600 * random(), jitterMs: 400 * random() }));
  add(0.3, () => ({ kind: 'drop', session: session(), atStep: step() }));
  add(0.2, () => ({ kind: 'stall', session: session(), atStep: step() }));
  add(0.2, () => ({ kind: 'garbage', session: session(), atStep: step(), what: 'text' }));
  add(0.2, () => ({ kind: 'closed', session: session(), atStep: step(), reason: 'timeout' }));
  add(0.1, () => ({ kind: 'neverCreated', session: session() }));
  add(0.1, () => ({ kind: 'refuse', session: session(), status: 503, body: 'busy' }));
  const seconds = 60 + Math.floor(400 * random());
  return {
    ...defaultGatewayOptions,
    dialect: random() < 0.7 ? 'unified' : 'legacy',
    workers: 1 + Math.floor(3 * random()),
    stepMs: 100 + Math.floor(500 * random()),
    sessionSeconds: { audio: seconds, video: seconds },
    faults,
  };
}
