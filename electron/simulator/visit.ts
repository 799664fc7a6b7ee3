import type { Mode } from '../../shared/protocol/names.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { planFaults } from './faults.ts';
import type { FaultPlan } from './faults.ts';
import type { GatewayNeeds, GatewayOptions, Line } from './gateway.ts';
import { makeSessionId } from './ids.ts';
import { openOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';

/** One connection as the gateway answers it: its faults, its outgoing line and what it may say there. */
export interface Visit {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly needs: GatewayNeeds;
  readonly faults: FaultPlan;
  readonly outbox: Outbox;
  readonly sessionId: string;
  readonly tell: (event: ServerEvent) => void;
}

export interface VisitNeeds {
  readonly options: GatewayOptions;
  readonly needs: GatewayNeeds;
}

export function openVisit(
  { options, needs }: VisitNeeds,
  session: number,
  mode: Mode,
  line: Line,
): Visit {
  const faults = planFaults(options.faults, session);
  const outbox = openOutbox(line, needs.clock, needs.random, faults.find('delay'));
  const deployed = options.manners === 'deployed';
  const sessionId = makeSessionId(options.dialect, session, needs);
  return {
    mode,
    options,
    needs,
    faults,
    outbox,
    sessionId,
    tell: (event) => {
      const stamped = deployed ? { ...event, serverTime: needs.clock.now() } : event;
      for (const frame of needs.codec.encodeEvent(stamped, options.dialect)) outbox.send(frame);
    },
  };
}
