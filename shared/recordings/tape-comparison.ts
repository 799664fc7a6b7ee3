import type { DuplexMode, Mode } from '../protocol/realtime-api.ts';
import type { TalkWarning } from '../talk/talk-state.ts';

/** What was answered to one thing that the person said. */
export interface MeasuredAnswer {
  /** When it was first heard, in milliseconds since the tape began. */
  readonly at: number;
  /** All that was answered before the person spoke again, were it one turn of the model or three. */
  readonly text: string;
  /** When the person had said what it answers; nothing where it came unasked. */
  readonly spokeUntil: number | undefined;
  /** From there to its first sound. */
  readonly latencyMs: number | undefined;
  /** It was silenced before its end. */
  readonly cut: boolean;
}

export interface LatencyPercentiles {
  readonly p50: number;
  readonly p95: number;
}

/** One talk, as far as two can be compared. */
export interface TalkMeasures {
  readonly mode: Mode;
  readonly server: string;
  /** ISO 8601, of the tape. */
  readonly recordedAt: string;
  readonly lengthMs: number;
  readonly answers: readonly MeasuredAnswer[];
  readonly latencyMs: LatencyPercentiles | undefined;
  readonly interruptions: number;
  readonly reconnects: number;
  /** The codes of what went wrong, in order. */
  readonly troubles: readonly string[];
  /** Which limits of a session came near, in order. */
  readonly limits: readonly TalkWarning['limit'][];
  /** The code of how it ended; nothing where the tape is cut. */
  readonly ending: string | undefined;
}

/** One thing that the person said in both talks, or in one of them. */
export interface ComparedAnswer {
  /** Nothing where nothing was answered, or the person did not say it. */
  readonly one: MeasuredAnswer | undefined;
  readonly other: MeasuredAnswer | undefined;
  readonly sameWords: number;
}

export interface TapeComparison {
  readonly one: TalkMeasures;
  readonly other: TalkMeasures;
  /** Side by side, by what the person had said. */
  readonly answers: readonly ComparedAnswer[];
  /** From 0 to 1, of all answers. */
  readonly sameWords: number;
  /** The other's p95 by the one's; none where either has none. */
  readonly latencyRatio: number | undefined;
}

/** How different two talks may be to be alike. */
export interface ComparisonBounds {
  readonly minSameWords: number;
  readonly maxLatencyRatio: number;
  /** So many answers may be missing. */
  readonly maxMissing: number;
}

export const defaultComparisonBounds: ComparisonBounds = {
  minSameWords: 0.5,
  maxLatencyRatio: 1.5,
  maxMissing: 0,
};

type ComparisonDifference = 'words' | 'latency' | 'answers' | 'troubles';

/** Delays are found to 50 ms: less than two of these is no difference, whatever its ratio. */
const latencyNoiseMs = 100;

/** In what the other talk is worse than these bounds let it be. */
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

/** A tape that another one can be compared with. */
export interface ComparableTape {
  readonly tape: string;
  readonly mode: DuplexMode;
  readonly server: string;
  /** ISO 8601. */
  readonly recordedAt: string;
}

export interface ComparedTapes {
  readonly comparison: TapeComparison;
  /** In what the other is worse than it may be. */
  readonly differs: readonly ComparisonDifference[];
}

/** How far a tape has come that is sent to a server again. */
export interface RerunProgress {
  readonly phase: 'connecting' | 'queued' | 'live';
  readonly doneMs: number;
  readonly ofMs: number;
}
