import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { planFaults } from './fault-plan.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { GatewayOptions, ClientSocket } from './gateway.ts';
import { makeSessionId } from './gateway-ids.ts';
import type { SharedGatewayDeps } from './gateway-model.ts';
import { openOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';

/** One connection as the gateway answers it: its faults, its outgoing line and what it may say there. */
export interface ConnectionContext {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
  readonly faults: FaultPlan;
  readonly outbox: Outbox;
  readonly sessionId: string;
  readonly emit: (event: ServerEvent) => void;
}

/** Where the legacy documents' own example of a time begins. */
const exampleEpoch = 1_714_200_000_000;

export interface ConnectionContextDeps {
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
}

export function openConnectionContext(
  { options, deps }: ConnectionContextDeps,
  session: number,
  mode: Mode,
  line: ClientSocket,
): ConnectionContext {
  const faults = planFaults(options.faults, session);
  const outbox = openOutbox(line, deps.clock, deps.random, faults.find('delay'));
  const deployed = options.profile === 'deployed';
  const wallClock = deps.wallClock ?? (() => exampleEpoch + deps.clock.now());
  const sessionId = makeSessionId(options.dialect, session, { wallClock, random: deps.random });
  return {
    mode,
    options,
    deps,
    faults,
    outbox,
    sessionId,
    emit: (event) => {
      const stamped = deployed ? { ...event, serverTime: wallClock() } : event;
      for (const frame of deps.codec.encodeServerEvent(stamped, options.dialect))
        outbox.send(frame);
    },
  };
}
