import type { Clock } from '../../shared/ports/clock.ts';
import {
  type MalformedEvent,
  maxSlicesPerFrame,
  type Mode,
  type ServerEvent,
  type SessionSettings,
  type UnknownEvent,
} from '../../shared/protocol/realtime-api.ts';
import type { BackendCodec, Backend, BackendStat } from './backend.ts';
import type { ContextCounter } from './context-counter.ts';
import type { ContextWindow, SessionUsage } from './context-window.ts';
import type { FaultPlan, GatewayDeps, GatewayOptions } from './gateway-options.ts';
import type { SentenceRecogniser } from './sentence-recogniser.ts';

/** Dependencies that all connections of a gateway share. */
export interface SharedGatewayDeps extends GatewayDeps {
  readonly recogniser: SentenceRecogniser;
}

/** The session around a model of the demonstration. */
export interface ModelEnvironment {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
  readonly settings: SessionSettings;
  readonly context: ContextWindow;
  /** Undefined if the gateway does not report usage. */
  readonly usage?: SessionUsage | undefined;
  readonly faults: FaultPlan;
  readonly emit: (event: Exclude<ServerEvent, UnknownEvent | MalformedEvent>) => void;
  /** Applies the step's faults, then calls `answer` unless a fault replaced it. */
  readonly answerStep: (step: number, answer: () => void) => void;
  readonly sessionId: string;
  readonly newResponseId: () => string;
  readonly onContextFull: () => void;
}

/** Why an input is invalid, as an error code of the API and a sentence. */
export interface RequestProblem {
  readonly code: string;
  readonly message: string;
}

/** Answers the client of a live session: a model of the demonstration, or a relay to a model server. */
export interface GatewayModel<Input> {
  /** Queues the input, or returns why it is invalid. */
  readonly accept: (input: Input) => RequestProblem | undefined;
  readonly end: () => void;
}

/** The client's id, if the server echoes it: by default, only deployed servers do. */
export function echoedInputId(
  environment: ModelEnvironment,
  input: { readonly inputId?: string | undefined },
) {
  const { echoInputIds, profile } = environment.options;
  return (echoInputIds ?? profile === 'deployed') ? input.inputId : undefined;
}

export function sliceProblem(slices: number | undefined): RequestProblem | undefined {
  if (slices === undefined) return undefined;
  if (Number.isInteger(slices) && slices >= 1 && slices <= maxSlicesPerFrame) return undefined;
  return {
    code: 'invalid_payload',
    message: `max_slice_nums must be from 1 to ${maxSlicesPerFrame}`,
  };
}

const signatures: readonly { readonly kind: 'jpeg' | 'png'; readonly bytes: readonly number[] }[] =
  [
    { kind: 'jpeg', bytes: [0xff, 0xd8, 0xff] },
    { kind: 'png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  ];

/** Detects the format by the file's first bytes. */
export function pictureKind(file: Uint8Array): 'jpeg' | 'png' | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, at) => file[at] === byte))?.kind;
}

/** The session around a relay (`ChatRelay` or `DuplexRelay`) to a model server. */
export interface RelayEnvironment {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly settings: SessionSettings;
  readonly clock: Clock;
  readonly codec: BackendCodec;
  readonly context: ContextCounter;
  /** Sends a frame to the model server. */
  readonly send: (frame: string) => void;
  /** Sends an event to the client. */
  readonly emit: (event: Exclude<ServerEvent, UnknownEvent | MalformedEvent>) => void;
  readonly newResponseId: () => string;
  readonly record: (stat: BackendStat) => void;
  readonly onStep?: Backend['onStep'] | undefined;
  readonly onContextFull: () => void;
  /** The server cannot take the client's message, so the session ends. The server is not lost. */
  readonly onTooLarge: () => void;
  /** The server has stopped answering, so the session ends. */
  readonly onSilent: () => void;
}
