import type { ContextSpent } from './context-spent.ts';
import type { OnlyListening } from './only-listening.ts';

/** What is measured in milliseconds, once a step or once an interruption. */
export const latencyKinds = [
  /** Last sample of a chunk captured → its bytes on the socket. */
  'micToWire',
  /** An append sent → the first word of its step. */
  'roundTrip',
  /** What the server says its step took. */
  'serverStep',
  /** First sample of a delta on the wire → sound. */
  'wireToSound',
  /** The interruption called → silence. */
  'interruptToSilence',
] as const;

export type LatencyKind = (typeof latencyKinds)[number];

/** What the core measures by itself; the others come with the session's metrics. */
export type MeasuredDelay = Exclude<LatencyKind, 'roundTrip' | 'serverStep'>;

export interface LatencyQuantiles {
  readonly count: number;
  readonly median: number | undefined;
  readonly p95: number | undefined;
}

/** How fast a conversation goes, over its latest few hundred steps. */
export interface LatencySummary {
  readonly steps: Readonly<Record<LatencyKind, LatencyQuantiles>>;
  readonly gaps: { readonly count: number; readonly totalMs: number; readonly longestMs: number };
  readonly drops: { readonly count: number; readonly samples: number };
}

/** What is done about the speaker's echo: nothing, or taken out where it is found; it takes seconds of an answer to know. */
export type EchoState = 'off' | 'unknown' | 'none' | 'heard';

/** How the latest step of the model went, for whoever watches a talk live. */
export interface TalkStep {
  /** What waits to be heard, and what should; nothing where no answer was heard yet. */
  readonly buffer: { readonly bufferMs: number; readonly targetMs: number } | undefined;
  /** What the present session has spent of the model's memory. */
  readonly memory?: ContextSpent | undefined;
  /** Nothing while the microphone is not open. */
  readonly echo?: EchoState | undefined;
  /** How much speech the server has received since its last answer. */
  readonly unanswered?: OnlyListening | undefined;
  /** Of this step, and what was measured since the one before; the last of each kind. */
  readonly latest: { readonly [Kind in LatencyKind]?: number };
}
