import type { Outcome } from '../../../shared/errors/app-error.ts';

/** What an export needs from outside. */
export interface ExportTools {
  /** Runs ffmpeg over files; where it is not installed that is said. */
  readonly convert: (
    args: readonly string[],
    /** How many milliseconds of the result are made. */
    made?: (ms: number) => void,
  ) => RunningConversion;
  readonly hasFfmpeg: () => Promise<boolean>;
  /** One zip of these files, which are read piece by piece. */
  readonly packZip: (path: string, entries: readonly PackedEntry[]) => Promise<Outcome<undefined>>;
  /** A folder of its own for as long as it is wanted. */
  readonly openScratch: () => Promise<ScratchFolder>;
}

export interface RunningConversion {
  readonly done: Promise<Outcome<undefined>>;
  readonly stop: () => void;
}

export interface PackedEntry {
  readonly name: string;
  readonly path: string;
}

export interface ScratchFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}
