import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type {
  MalformedEvent,
  ServerEvent,
  UnknownEvent,
} from '../../shared/protocol/server-event.ts';
import type { ContextWindow } from './context-window.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { GatewayDeps, GatewayOptions } from './gateway.ts';
import type { SentenceRecogniser } from './sentence-recogniser.ts';
import type { SessionUsage } from './session-usage.ts';
import { maxSlicesPerFrame } from '../../shared/protocol/protocol-limits.ts';

/** What a gateway's connections have in common. */
export interface SharedGatewayDeps extends GatewayDeps {
  readonly recogniser: SentenceRecogniser;
}

/** What the model of one session has around it. */
export interface ModelEnvironment {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
  readonly settings: SessionSettings;
  readonly context: ContextWindow;
  /** What the session has used; nothing where the gateway does not tell it. */
  readonly usage?: SessionUsage | undefined;
  readonly faults: FaultPlan;
  readonly emit: (event: Exclude<ServerEvent, UnknownEvent | MalformedEvent>) => void;
  /** Lets the step's faults have their way, and answers if they leave anything to answer. */
  readonly answer: (step: number, say: () => void) => void;
  readonly sessionId: string;
  readonly newResponseId: () => string;
  readonly contextFull: () => void;
}

export interface RequestProblem {
  readonly code: string;
  readonly message: string;
}

/** Works what the client sends once the session is live. */
export interface GatewayModel<Ask> {
  /** Takes one ask, or says why it is none. */
  readonly take: (ask: Ask) => RequestProblem | undefined;
  readonly end: () => void;
}

/** Deployed servers echo the client's own id; documented ones need not, and ours do only where it is wished. */
export function echoedInputId(
  environment: ModelEnvironment,
  ask: { readonly inputId?: string | undefined },
) {
  const { echoInputIds, profile } = environment.options;
  return (echoInputIds ?? profile === 'deployed') ? ask.inputId : undefined;
}

/** A problem with a number of slices, if there is one. */
export function sliceProblem(slices: number | undefined): RequestProblem | undefined {
  if (slices === undefined) return undefined;
  if (Number.isInteger(slices) && slices >= 1 && slices <= maxSlicesPerFrame) return undefined;
  return {
    code: 'invalid_payload',
    message: `max_slice_nums must be from 1 to ${maxSlicesPerFrame}`,
  };
}
