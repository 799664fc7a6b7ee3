import type { SessionSettings } from '../../shared/protocol/client-ask.ts';
import type { Mode } from '../../shared/protocol/names.ts';
import type {
  Malformed,
  Metrics,
  ServerEvent,
  UnknownEvent,
} from '../../shared/protocol/server-event.ts';
import type { Context } from './context.ts';
import type { FaultPlan } from './faults.ts';
import type { GatewayNeeds, GatewayOptions } from './gateway.ts';

/** What the model of one session has around it. */
export interface Room {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly needs: GatewayNeeds;
  readonly settings: SessionSettings;
  readonly context: Context;
  readonly faults: FaultPlan;
  readonly tell: (event: Exclude<ServerEvent, UnknownEvent | Malformed>) => void;
  /** Lets the step's faults have their way, and answers if they leave anything to answer. */
  readonly answer: (step: number, say: () => void) => void;
  readonly newResponseId: () => string;
  readonly contextFull: () => void;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Works what the client sends once the session is live. */
export interface Model<Ask> {
  /** Takes one ask, or says why it is none. */
  readonly take: (ask: Ask) => Problem | undefined;
  readonly end: () => void;
}

/** Deployed servers echo the client's own id; documented ones need not, and ours do not. */
export function echoOf(room: Room, ask: { readonly inputId?: string | undefined }) {
  return room.options.manners === 'deployed' ? ask.inputId : undefined;
}

export function metricsOf(room: Room, figures: Readonly<Record<string, number>>): Metrics {
  const { tokens } = room.context;
  const time = { wall_clock_ms: room.options.stepMs };
  return { contextTokens: tokens, figures: { kv_cache_length: tokens, ...time, ...figures } };
}
