import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartMarker } from '../../ports/start-marker.ts';

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
