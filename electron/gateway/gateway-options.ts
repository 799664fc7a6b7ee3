import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import {
  contextTokens,
  type DialectName,
  type DuplexMode,
  type Mode,
  modes,
  normalClosure,
  sessionSeconds,
  tryAgainLater,
} from '../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../shared/protocol/server-codec.ts';
import type { Backend, BackendCodec } from './backend.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';

/** The server whose behaviour the gateway imitates: as documented, as deployed today, or the C++ server. */
export type ServerProfile = 'documented' | 'deployed' | 'llama-omni';

export interface GatewayOptions {
  readonly dialect: DialectName;
  readonly profile: ServerProfile;
  /** Sessions that run at once; further ones queue. */
  readonly workers: number;
  /** Length of the queue; further clients get `queue_full`. */
  readonly queueLimit: number;
  readonly sessionSeconds: Readonly<Record<DuplexMode, number>>;
  readonly contextTokens: number;
  readonly stepMs: number;
  /** Whether answers echo the append's input id; by default as the profile does. */
  readonly echoInputIds?: boolean | undefined;
  /** Whether spoken sessions report token usage, as newer servers do; off by default. */
  readonly reportsUsage?: boolean | undefined;
  /** Whether talks take tools and the model calls one, as some newer servers do; off by default. */
  readonly takesTools?: boolean | undefined;
  /** How far text runs ahead of its sound; 0 by default. */
  readonly textLeadMs?: number | undefined;
  readonly faults: readonly Fault[];
}

/**
 * When a fault applies: at a step of the model, counted from 1, or in place of the admission or the session's
 * creation.
 */
export type FaultStep = number | 'admission' | 'creation';

/** A deliberate fault. `session` counts connections from 1; without it, the fault applies to all. */
export type Fault = { readonly session?: number | undefined } &
  /** Every message and close to the client is delayed by `ms`, plus or minus the jitter. */
  (
    | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number | undefined }
    /** Limits the length of each turn's first sound. */
    | { readonly kind: 'shortFirstChunk'; readonly ms: number }
    /** C++ server only: sound comes this long after its text, plus or minus the jitter. */
    | { readonly kind: 'lateSound'; readonly ms: number; readonly jitterMs?: number | undefined }
    /** C++ server only: this share of listen events, from 0 to 1, is never sent. */
    | { readonly kind: 'lostListens'; readonly share: number }
    /** The model never speaks. */
    | { readonly kind: 'onlyListens' }
    /** The server sends no answer from this step on; the connection stays open. */
    | { readonly kind: 'stall'; readonly atStep: FaultStep }
    /** The connection is cut before this step's answer. */
    | { readonly kind: 'drop'; readonly atStep: FaultStep }
    /** A malformed frame replaces this step's answer. */
    | { readonly kind: 'garbage'; readonly atStep: FaultStep; readonly what: Garbage }
    /**
     * An `error` with this code replaces this step's answer. The connection closes if the documents say so for the
     * code.
     */
    | { readonly kind: 'error'; readonly atStep: FaultStep; readonly code: string }
    /** Closes the session with this reason instead of this step's answer. */
    | { readonly kind: 'closed'; readonly atStep: FaultStep; readonly reason: string }
    /** The worker refuses the client: the server sends `queue_done`, then `session_failed` with 403, and closes with 1000. */
    | { readonly kind: 'handover403' }
    /** The server admits the client but never sends `session.created`. */
    | { readonly kind: 'neverCreated' }
    /** The server rejects a configure that has this field of `config`. */
    | { readonly kind: 'refusedField'; readonly field: string }
    /** The client stays in the queue for ever. */
    | { readonly kind: 'workerDown' }
    /**
     * After a client gives up its place in the queue, each session that ends before the queue's next update loses its
     * worker for good.
     */
    | { readonly kind: 'wedge' }
    /** The upgrade is refused with this status. */
    | { readonly kind: 'refuse'; readonly status: number; readonly body: string }
    | { readonly kind: 'shutdown'; readonly afterMs: number }
  );

export type Garbage =
  | 'text'
  | 'binary'
  | 'nan'
  | 'brokenBase64'
  | 'textAsNumber'
  | 'huge'
  | 'unknownEvent'
  | 'cutJson';

export interface GatewayDeps {
  readonly clock: Clock;
  /** Time for dates that the server sends. The default is the clock, counted from a fixed day. */
  readonly wallClock?: WallClock | undefined;
  readonly random: Random;
  readonly codec: ServerCodec;
  /** Model servers that answer in place of the demonstration. */
  readonly backends?: BackendDeps | undefined;
  readonly pictures: Pictures;
  readonly speech: DemoSpeech;
}

/** The model servers of a gateway, and what their sessions share. */
export interface BackendDeps {
  /** Each runs one session at a time. */
  readonly servers: readonly Backend[];
  readonly codec: BackendCodec;
  /** The reference voice for clients that send none, 16 kHz mono. */
  readonly defaultVoice: Float32Array;
  /** Limit on a session's creation, with the model loaded first; 70 s by default. */
  readonly creationMs?: number | undefined;
  readonly metrics?: GatewayMetrics | undefined;
}

export interface DemoSpeech {
  readonly clips: readonly DemoClip[];
}

/** One recorded sentence of the demonstration. */
export interface DemoClip {
  readonly id: string;
  readonly text: string;
  /** In seconds from the clip's beginning. */
  readonly words: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
  }[];
  /** 24 kHz mono. */
  readonly audio: Float32Array;
}

/** Behaves like a gateway in use today, and is fast enough for a conversation. */
export const defaultGatewayOptions: GatewayOptions = {
  dialect: 'unified',
  profile: 'deployed',
  workers: 4,
  queueLimit: 100,
  sessionSeconds,
  contextTokens,
  stepMs: 200,
  faults: [],
};

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** The faults of one connection. */
export interface FaultPlan {
  readonly find: <Kind extends Fault['kind']>(kind: Kind) => FaultOf<Kind> | undefined;
  /** The faults of this step, in the order in which they were configured. */
  readonly atStep: (step: FaultStep) => readonly Fault[];
}

export function planFaults(faults: readonly Fault[], session: number): FaultPlan {
  const sessionFaults = faults.filter(
    (fault) => fault.session === undefined || fault.session === session,
  );
  return {
    find: <Kind extends Fault['kind']>(kind: Kind) =>
      sessionFaults.find((fault): fault is FaultOf<Kind> => fault.kind === kind),
    atStep: (step) => sessionFaults.filter((fault) => appliesAt(fault, step)),
  };
}

function appliesAt(fault: Fault, step: FaultStep): boolean {
  if (!('atStep' in fault)) return false;
  if (fault.kind === 'stall') return stepOrder(step) >= stepOrder(fault.atStep);
  return fault.atStep === step;
}

function stepOrder(step: FaultStep): number {
  if (step === 'admission') return -1;
  return step === 'creation' ? 0 : step;
}

/** Documented errors that close the connection with 1013. */
const tryLaterErrors = new Set([
  'service_unavailable',
  'queue_full',
  'worker_busy',
  'worker_connect_failed',
]);

/** The close code after an error, or undefined if the connection stays open. */
export function closeCodeAfter(code: string): number | undefined {
  if (tryLaterErrors.has(code)) return tryAgainLater;
  return code === 'session_failed' ? normalClosure : undefined;
}

/** How a server reacts to input that it cannot use. */
export type ProblemReaction =
  /** Sends an error and continues. */
  | 'error'
  /** Closes the connection with 1003. */
  | 'badFrame'
  /** Ends the session with `backend_error`. */
  | 'end'
  /** Reports a failed step and continues. */
  | 'failedStep'
  | 'ignore'
  /** Cuts the connection without a close frame. */
  | 'cut';

type ServerBehaviour = Pick<GatewayOptions, 'dialect' | 'profile'>;

export function chooseReaction(
  { code }: { readonly code: string },
  { dialect, profile }: ServerBehaviour,
): ProblemReaction {
  if (profile === 'documented') return code === 'bad_json' ? 'badFrame' : 'error';
  if (dialect === 'unified') return 'end';
  switch (code) {
    case 'unknown_event':
      return 'ignore';
    case 'missing_field':
    case 'not_ready':
      return 'failedStep';
    default:
      return 'cut';
  }
}

/**
 * Deployed legacy gateways never send a close frame, continue after reporting a full context, and restart on a
 * second configure.
 */
export const isDeployedLegacy = ({ dialect, profile }: ServerBehaviour): boolean =>
  dialect === 'legacy' && profile === 'deployed';

/** Workers of deployed unified gateways briefly refuse clients after one that disconnected without a close. */
export const isDeployedUnified = ({ dialect, profile }: ServerBehaviour): boolean =>
  dialect === 'unified' && profile === 'deployed';

/** Maps the address's mode, which may be missing or unknown, to the connection's mode. */
export function connectionMode(
  requested: string | undefined,
  options: Pick<GatewayOptions, 'dialect' | 'profile'>,
): Mode {
  const unknown = requested !== undefined && isDeployedLegacy(options) ? 'audio' : 'video';
  const mode = modes.find((known) => known === requested) ?? unknown;
  // Legacy gateways have no chat mode and use audio instead.
  return options.dialect === 'legacy' && mode === 'chat' ? 'audio' : mode;
}

/** Deployed unified servers and the C++ server refuse unknown modes; documented and legacy ones do not. */
export function acceptsMode(
  requested: string | undefined,
  { dialect, profile }: GatewayOptions,
): boolean {
  if (profile === 'documented' || dialect === 'legacy') return true;
  return requested === undefined || modes.some((mode) => mode === requested);
}

export function makeSessionId(
  dialect: DialectName,
  session: number,
  { wallClock, random }: { readonly wallClock: WallClock; readonly random: Random },
): string {
  if (dialect === 'unified') return makeGatewayId('sess', random);
  return `rt_${Math.floor(wallClock()) + session}`;
}

export function makeGatewayId(kind: 'sess' | 'resp' | 'ticket', random: Random): string {
  const digits = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16));
  return `${kind}_${digits.join('')}`;
}
