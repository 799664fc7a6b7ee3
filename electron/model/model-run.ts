import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { ModelFile } from './model-catalogue.ts';
import { type ModelExit, ModelLog } from './model-log.ts';

export const firstLoadMs = 40_000;

/** A running `llama-omni-server` with everything it started. */
export interface ModelProcess {
  /** As `ws://127.0.0.1:PORT/backend`. */
  readonly address: string;
  readonly program: string;
  /** Asks it to end. */
  readonly terminate: () => void;
  /** Ends its whole process group at once. */
  readonly kill: () => void;
}

export interface ModelProcessListener {
  /** Output as it comes, in pieces. */
  readonly output: (text: string) => void;
  /** The last call. The process's temporary files are deleted by then. */
  readonly ended: (exit: ModelExit) => void;
}

/** One start of the process. */
export class ModelRun {
  readonly startedAt: number;
  readonly log: ModelLog;
  /** Times of the first steps: the warm-up's and the first talk's. */
  readonly stepMs: number[] = [];
  /** The newest steps, in which the model may have become slower. */
  recentMs: readonly number[] = [];
  lastSignAt: number;
  readyAt: number | undefined;
  address: string | undefined;
  program = '';
  started: Promise<Outcome<ModelProcess>> = Promise.resolve(failure('modelStopped'));
  hasExited = false;
  readonly exited: Promise<void>;
  #resolveExited: () => void = () => undefined;

  constructor(now: number, files: readonly ModelFile[]) {
    this.startedAt = now;
    this.lastSignAt = now;
    this.log = new ModelLog(files);
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
  }

  markExited(): void {
    this.hasExited = true;
    this.#resolveExited();
  }

  read(text: string, now: number): void {
    this.lastSignAt = now;
    this.log.append(text, now);
  }

  /** The larger of the progress by the log and by the time that the last load took. */
  progress(
    now: number,
    lastLoadMs: number | undefined,
  ): { readonly progress: number; readonly secondsLeft: number | undefined } {
    const expectedMs = lastLoadMs ?? firstLoadMs;
    const elapsedMs = now - this.startedAt;
    const byLog = this.log.progress(now, expectedMs);
    const byTime = lastLoadMs === undefined ? 0 : elapsedMs / lastLoadMs;
    const progress = Math.min(0.95, Math.max(byLog, byTime));
    if (elapsedMs < expectedMs)
      return { progress, secondsLeft: Math.ceil((expectedMs - elapsedMs) / 1000) };
    // The load is slower than expected, so the remaining time follows from the log.
    const secondsLeft =
      byLog < 0.1 ? undefined : Math.max(1, Math.ceil((elapsedMs * (1 - byLog)) / byLog / 1000));
    return { progress, secondsLeft };
  }
}
