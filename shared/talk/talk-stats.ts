import type { JsonObject } from '../protocol/json.ts';
import type { DialectName } from '../protocol/realtime-api.ts';

/** Latencies in milliseconds, one value per step or interruption. */
export const latencyKinds = [
  /** Last sample of a chunk captured → its bytes on the socket. */
  'micToWire',
  /** Append sent → first event of its step. */
  'roundTrip',
  /** Duration of a step as the server reports it. */
  'serverStep',
  /** First sample of a delta on the wire → sound. */
  'wireToSound',
  /** Interruption → silence. */
  'interruptToSilence',
] as const;

export type LatencyKind = (typeof latencyKinds)[number];

/** Delays that the core measures. The other kinds come with the session's metrics. */
export type MeasuredDelay = Exclude<LatencyKind, 'roundTrip' | 'serverStep'>;

export interface LatencyQuantiles {
  readonly count: number;
  readonly median: number | undefined;
  readonly p95: number | undefined;
}

export interface LatencySummary {
  readonly steps: Readonly<Record<LatencyKind, LatencyQuantiles>>;
  readonly gaps: { readonly count: number; readonly totalMs: number; readonly longestMs: number };
  readonly drops: { readonly count: number; readonly samples: number };
}

/** State of the echo canceller. It needs some seconds of an answer to find an echo. */
export type EchoState = 'off' | 'unknown' | 'none' | 'heard';

export interface TalkStep {
  /** Queued and target length of the jitter buffer; undefined before the first answer. */
  readonly buffer: { readonly bufferMs: number; readonly targetMs: number } | undefined;
  readonly context?: ContextSpent | undefined;
  /** Undefined while the microphone is closed. */
  readonly echo?: EchoState | undefined;
  /** How much speech the server has received since its last answer. */
  readonly unanswered?: OnlyListening | undefined;
  /** The newest value of each kind since the previous step. */
  readonly latest: { readonly [Kind in LatencyKind]?: number };
}

/** Contents of the model's context; instructions count as words. */
export const contextParts = ['pictures', 'sound', 'words'] as const;
export type ContextPart = (typeof contextParts)[number];

export interface ContextSpent {
  /** In tokens. */
  readonly spent: Readonly<Record<ContextPart, number>>;
  /** Parts that the server did not report, estimated from the traffic. */
  readonly estimated: readonly ContextPart[];
}

/**
 * Speech that the server received since it last answered or had to listen, and steps since then in which it only
 * listened.
 */
export interface OnlyListening {
  readonly spokenSeconds: number;
  readonly steps: number;
}

/** Settings that make a model speak more readily, by their names on the wire. */
const wireNames = {
  listenProbScale: 'listen_prob_scale',
  lengthPenalty: 'length_penalty',
} as const;

export type AnswerSetting = keyof typeof wireNames;

export interface OnlyListeningNote extends OnlyListening {
  /** Settings that have an effect on this server. */
  readonly settings: readonly AnswerSetting[];
}

/** @param config the endpoint's own fields, which override the settings or remove them with null */
export function availableAnswerSettings(
  dialect: DialectName,
  config: JsonObject = {},
): readonly AnswerSetting[] {
  if (dialect !== 'unified') return [];
  const all = Object.entries(wireNames) as [AnswerSetting, string][];
  return all.filter(([, name]) => !Object.hasOwn(config, name)).map(([setting]) => setting);
}
