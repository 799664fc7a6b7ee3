import type { JsonObject } from '../protocol/json.ts';
import type { DialectName } from '../protocol/realtime-api.ts';

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

/** What takes up the model's memory; instructions count as words. */
export const memoryParts = ['pictures', 'sound', 'words'] as const;
export type MemoryPart = (typeof memoryParts)[number];

/** What one session has spent of the model's memory so far. */
export interface ContextSpent {
  /** Tokens. */
  readonly spent: Readonly<Record<MemoryPart, number>>;
  /** What the server did not report, and was reckoned from what went and came. */
  readonly estimated: readonly MemoryPart[];
}

/** How long the server heard the person speak since its last answer, and how many steps it only listened to. */
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
  /** Those that this server takes from the person's settings. */
  readonly settings: readonly AnswerSetting[];
}

/** @param config the server's own fields, which win over the settings, and leave out what is null */
export function answerSettingsOf(
  dialect: DialectName,
  config: JsonObject = {},
): readonly AnswerSetting[] {
  if (dialect !== 'unified') return [];
  const all = Object.entries(wireNames) as [AnswerSetting, string][];
  return all.filter(([, name]) => !Object.hasOwn(config, name)).map(([setting]) => setting);
}
