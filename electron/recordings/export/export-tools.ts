import type { Outcome } from '../../../shared/errors/app-error.ts';

export interface ExportTools {
  /** Runs ffmpeg; fails with `ffmpegMissing` if it is not installed. */
  readonly convert: (
    args: readonly string[],
    /** Milliseconds of output written so far. */
    onProgress?: (ms: number) => void,
  ) => RunningConversion;
  readonly hasFfmpeg: () => Promise<boolean>;
  /** Zips files, streaming their content. */
  readonly packZip: (path: string, entries: readonly PackedEntry[]) => Promise<Outcome<undefined>>;
  readonly openScratch: () => Promise<Outcome<ScratchFolder>>;
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
