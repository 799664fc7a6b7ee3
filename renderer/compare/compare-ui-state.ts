import type { AppError } from '../../shared/errors/app-error.ts';
import type {
  ComparableTape,
  ComparedTapes,
  RerunProgress,
} from '../../shared/recordings/tape-comparison.ts';

/** The sheet in which a talk is held against another one. */
export interface CompareUiState {
  readonly tape: string;
  /** What its talk is called. */
  readonly title: string;
  /** The others that are kept; none until they have come. */
  readonly tapes: readonly ComparableTape[] | undefined;
  readonly other: string | undefined;
  /** The server that is asked again; none where nobody chose one: the one that is talked with. */
  readonly server: string | undefined;
  readonly step: CompareStep;
}

export type CompareStep =
  | { readonly kind: 'choosing'; readonly error?: AppError | undefined }
  | {
      readonly kind: 'running';
      readonly progress: RerunProgress | undefined;
      readonly stopping: boolean;
    }
  | { readonly kind: 'comparing' }
  | { readonly kind: 'compared'; readonly compared: ComparedTapes };

interface WithComparing {
  readonly comparing: CompareUiState | undefined;
}

export function applyRerunProgress(
  { comparing }: WithComparing,
  progress: RerunProgress,
): Partial<WithComparing> {
  if (comparing?.step.kind !== 'running') return {};
  return { comparing: { ...comparing, step: { ...comparing.step, progress } } };
}
