import type { DuplexMode, Mode } from '../protocol/realtime-api.ts';
import type { TalkWarning } from '../talk/talk-view.ts';

/** The answer to one thing the user said. */
export interface MeasuredAnswer {
  /** When the answer was first heard, in milliseconds since the tape began. */
  readonly at: number;
  /** Everything answered before the user spoke again, over one or more turns. */
  readonly text: string;
  /** When the user stopped speaking; undefined for an unprompted answer. */
  readonly spokeUntil: number | undefined;
  /** From `spokeUntil` to the first sound. */
  readonly latencyMs: number | undefined;
  readonly cut: boolean;
}

export interface LatencyPercentiles {
  readonly p50: number;
  readonly p95: number;
}

/** The measures two talks are compared by. */
export interface TalkMeasures {
  readonly mode: Mode;
  readonly server: string;
  readonly recordedAt: string;
  readonly lengthMs: number;
  readonly answers: readonly MeasuredAnswer[];
  readonly latencyMs: LatencyPercentiles | undefined;
  readonly interruptions: number;
  readonly reconnects: number;
  readonly troubles: readonly string[];
  /** Session limits that came near, in order. */
  readonly limits: readonly TalkWarning['limit'][];
  /** Error code of the ending; undefined if the tape is cut, and for a written conversation. */
  readonly ending: string | undefined;
}

/** The answers of both talks to one thing that the user said. */
export interface ComparedAnswer {
  /** Undefined if the talk has no answer to it, or the user did not say it in that talk. */
  readonly one: MeasuredAnswer | undefined;
  readonly other: MeasuredAnswer | undefined;
  /** Share of equal words in equal order, from 0 to 1. */
  readonly sameWords: number;
}

export interface TapeComparison {
  readonly one: TalkMeasures;
  readonly other: TalkMeasures;
  readonly answers: readonly ComparedAnswer[];
  readonly sameWords: number;
  /** p95 of `other` divided by p95 of `one`; undefined if either has none, or 0. */
  readonly latencyRatio: number | undefined;
}

/** Limits within which two talks count as alike. */
export interface ComparisonBounds {
  readonly minSameWords: number;
  readonly maxLatencyRatio: number;
  readonly maxMissing: number;
}

export const defaultComparisonBounds: ComparisonBounds = {
  minSameWords: 0.5,
  maxLatencyRatio: 1.5,
  maxMissing: 0,
};

type ComparisonDifference = 'words' | 'latency' | 'answers' | 'troubles';

/** Two latencies that are measured in steps of 50 ms may differ by this much by chance. */
const latencyNoiseMs = 100;

/** Ways in which the other talk is worse than the bounds allow. */
export function differencesBeyond(
  { one, other, answers, sameWords, latencyRatio = 1 }: TapeComparison,
  { minSameWords, maxLatencyRatio, maxMissing }: ComparisonBounds,
): readonly ComparisonDifference[] {
  const later = (other.latencyMs?.p95 ?? 0) - (one.latencyMs?.p95 ?? 0);
  const missing = answers.filter((pair) => pair.one !== undefined && pair.other === undefined);
  return [
    ...(sameWords < minSameWords ? ['words' as const] : []),
    ...(latencyRatio > maxLatencyRatio && later > latencyNoiseMs ? ['latency' as const] : []),
    ...(missing.length > maxMissing ? ['answers' as const] : []),
    ...(other.troubles.length > one.troubles.length ? ['troubles' as const] : []),
  ];
}

export interface ComparableTape {
  readonly tape: string;
  readonly mode: DuplexMode;
  readonly server: string;
  readonly recordedAt: string;
}

export interface ComparedTapes {
  readonly comparison: TapeComparison;
  /** Ways in which the other talk is worse than allowed. */
  readonly differs: readonly ComparisonDifference[];
  /** One of the tapes is damaged or lacks pictures or voices, so a rerun of it sends less than the user gave. */
  readonly incomplete: boolean;
}

/** Progress of a tape being sent to a server again. */
export interface RerunProgress {
  readonly phase: 'connecting' | 'queued' | 'live';
  readonly doneMs: number;
  readonly ofMs: number;
}
