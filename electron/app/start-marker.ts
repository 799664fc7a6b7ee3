import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../platform/files/state-folder.ts';

interface StartServices {
  /** Whether the starts before this one came to their end. */
  readonly marker: StartMarker;
  /** What processes that crash leave behind. */
  readonly crashFolder: string;
}

/** Composes what is needed before anything else is loaded: it may be what no start survives. */
export function composeStart(): StartServices {
  const folder = stateFolder();
  return { marker: createStartMarker(folder), crashFolder: join(folder, 'crashes') };
}

/** Remembers that a start is under way, over a crash of the process. */
interface StartMarker {
  /** How many starts in a row have come to no end before this one, which is counted from now on. */
  readonly begin: () => number;
  /** This one has come to its end: Parley is open, or was closed in order. */
  readonly done: () => void;
}

/** Written and removed in one go, because whatever is loaded next may end the process. */
export function createStartMarker(folder: string): StartMarker {
  const path = join(folder, 'starting');
  return {
    begin: () => {
      const failed = failedStarts(path);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path, String(failed + 1), { mode: 0o600 });
      } catch {
        // Where nothing can be kept, no start is known to have failed.
      }
      return failed;
    },
    done: () => {
      try {
        rmSync(path, { force: true });
      } catch {
        // The next start is a careful one for nothing.
      }
    },
  };
}

function failedStarts(path: string): number {
  try {
    const failed = Number(readFileSync(path, 'utf8').slice(0, 8));
    return Number.isSafeInteger(failed) && failed > 0 ? failed : 0;
  } catch {
    return 0;
  }
}
