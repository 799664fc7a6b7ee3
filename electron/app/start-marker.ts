import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../platform/files/state-folder.ts';

/** State that a start needs before other modules are loaded, because loading them may crash. */
export function composeStart() {
  const folder = stateFolder();
  return {
    /** Counts the starts that failed. */
    marker: new StartMarker(folder),
    /** Where crashed processes leave their dumps. */
    crashFolder: join(folder, 'crashes'),
  };
}

/**
 * Records that a start is in progress, to detect a crash. Synchronous, because loading the next module may end
 * the process.
 */
export class StartMarker {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'starting');
  }

  /** Marks a start and returns how many starts before it failed in a row. */
  begin(): number {
    const failed = this.#failedStarts();
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#path, String(failed + 1), { mode: 0o600 });
    } catch {
      // If the marker cannot be written, this start is not counted.
    }
    return failed;
  }

  /** Records that the start succeeded, because Parley is open or was closed normally. */
  readonly done = (): void => {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // The next start counts this one as failed, and starts with more care than it needs.
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
