import type { DuplexMode } from '../protocol/dialect-and-mode.ts';
import type { ComparisonDifference, TapeComparison } from './tape-comparison.ts';

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
