import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import {
  contextTokens,
  type DialectName,
  type DuplexMode,
  sessionSeconds,
} from '../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../shared/protocol/server-codec.ts';

/** As the documents say, or as the servers that are out there really behave. */
export type ServerProfile = 'documented' | 'deployed' | 'llama-omni';

export interface GatewayOptions {
  readonly dialect: DialectName;
  readonly profile: ServerProfile;
  /** How many sessions run at once; the others queue. */
  readonly workers: number;
  /** How many may queue; the next one gets `queue_full`. */
  readonly queueLimit: number;
  readonly sessionSeconds: Readonly<Record<DuplexMode, number>>;
  readonly contextTokens: number;
  /** How long the model takes for one step. */
  readonly stepMs: number;
  /** Whether a step's answer names the append it answers; left out, as the profile has it. */
  readonly echoInputIds?: boolean | undefined;
  /** Whether talks say what each step and the session have used, as newer servers do; left out, not at all. */
  readonly tellsUsage?: boolean | undefined;
  /** By how much the text runs ahead of its sound; left out, not at all. */
  readonly textLeadMs?: number | undefined;
  readonly faults: readonly Fault[];
}

/**
 * When a fault strikes: at a step of the model, counted from 1; or before, instead of the admission or of the
 * session's creation.
 */
export type FaultStep = number | 'admission' | 'creation';

/** Something that goes wrong on purpose. `session` counts connections from 1; left out, all of them. */
export type Fault = { readonly session?: number | undefined } &
  /** Every answer is late by so much, give or take the jitter. */
  (
    | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number | undefined }
    /** The first sound of each turn is only so long. */
    | { readonly kind: 'shortFirstChunk'; readonly ms: number }
    /** With the C++ server's manners: by how much the sound comes after its text, give or take the jitter. */
    | { readonly kind: 'lateSound'; readonly ms: number; readonly jitterMs?: number | undefined }
    /** With the C++ server's manners: this share of the listens is never sent. */
    | { readonly kind: 'lostListens'; readonly share: number }
    /** The model never speaks. */
    | { readonly kind: 'onlyListens' }
    /** From this step on nothing more is said; the connection stays open. */
    | { readonly kind: 'stall'; readonly atStep: FaultStep }
    /** The connection is cut before this step's answer. */
    | { readonly kind: 'drop'; readonly atStep: FaultStep }
    /** Instead of this step's answer comes something that is none. */
    | { readonly kind: 'garbage'; readonly atStep: FaultStep; readonly what: Garbage }
    /** An `error` with this code comes instead of this step's answer; documented severity applies. */
    | { readonly kind: 'error'; readonly atStep: FaultStep; readonly code: string }
    /** The session is closed with this reason, whatever it is, instead of this step's answer. */
    | { readonly kind: 'closed'; readonly atStep: FaultStep; readonly reason: string }
    /** The hand-over to the worker fails: queue_done, error session_failed … 403, close 1000. */
    | { readonly kind: 'handover403' }
    /** Admission is sent and then nothing: `session.created` never comes. */
    | { readonly kind: 'neverCreated' }
    /** A configure with this field of `config` is what the server cannot use: it says so as its manners are. */
    | { readonly kind: 'refusedField'; readonly field: string }
    /** Queued for ever. */
    | { readonly kind: 'workerDown' }
    /** Who leaves the queue takes a worker along, should a session end before the queue's next update. */
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
  /** For what is told as a date; left out, the clock's own time from a day on that never changes. */
  readonly wallClock?: WallClock | undefined;
  readonly random: Random;
  readonly codec: ServerCodec;
  readonly pictures: Pictures;
  readonly speech: DemoSpeech;
}

/** What the demonstration can say: recorded sentences with the time of every word. */
export interface DemoSpeech {
  readonly clips: readonly DemoClip[];
}

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

/** A gateway as one meets it today, quick enough to be talked with. */
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

/** What goes wrong with one connection. */
export interface FaultPlan {
  readonly find: <Kind extends Fault['kind']>(kind: Kind) => FaultOf<Kind> | undefined;
  /** Everything that happens to this step, in the order it was written down. */
  readonly atStep: (step: FaultStep) => readonly Fault[];
}

export function planFaults(faults: readonly Fault[], session: number): FaultPlan {
  const mine = faults.filter((fault) => fault.session === undefined || fault.session === session);
  return {
    find: <Kind extends Fault['kind']>(kind: Kind) =>
      mine.find((fault): fault is FaultOf<Kind> => fault.kind === kind),
    atStep: (step) => mine.filter((fault) => concerns(fault, step)),
  };
}

function concerns(fault: Fault, step: FaultStep): boolean {
  if (!('atStep' in fault)) return false;
  if (fault.kind === 'stall') return rank(step) >= rank(fault.atStep);
  return fault.atStep === step;
}

/** Where a step stands among all that happens to a connection. */
function rank(step: FaultStep): number {
  if (step === 'admission') return -1;
  return step === 'creation' ? 0 : step;
}
