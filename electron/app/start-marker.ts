import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../platform/files/state-folder.ts';

/** Composes what is needed before anything else is loaded: it may be what no start survives. */
export function composeStart() {
  const folder = stateFolder();
  return {
    /** Whether the starts before this one came to their end. */
    marker: new StartMarker(folder),
    /** What processes that crash leave behind. */
    crashFolder: join(folder, 'crashes'),
  };
}

/**
 * Remembers that a start is under way, over a crash of the process. Written and removed in one go, because whatever is loaded
 * next may end the process.
 */
export class StartMarker {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'starting');
  }

  /** How many starts in a row have come to no end before this one, which is counted from now on. */
  begin(): number {
    const failed = this.#failedStarts();
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#path, String(failed + 1), { mode: 0o600 });
    } catch {
      // Where nothing can be kept, no start is known to have failed.
    }
    return failed;
  }

  /** This one has come to its end: Parley is open, or was closed in order. */
  readonly done = (): void => {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // The next start is a careful one for nothing.
    }
  };

  #failedStarts(): number {
    try {
      const failed = Number(readFileSync(this.#path, 'utf8').slice(0, 8));
      return Number.isSafeInteger(failed) && failed > 0 ? failed : 0;
    } catch {
      return 0;
    }
  }
}
