import { join } from 'node:path';
import { stateFolder } from '../adapters/files/state-folder.ts';
import { createFileLog } from '../adapters/system/file-log.ts';
import { limitRepeats } from '../adapters/system/limit-repeats.ts';
import { createStreamLog } from '../adapters/system/stream-log.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { CountingLog, LogPlace, PlacedLog } from '../ports/log.ts';

/** In the state folder. */
export function logFolder(folder: string = stateFolder()): string {
  return join(folder, 'logs');
}

/** The one log of a process: on stderr, and in the log folder as far as that can be written. */
export function composeLog(): CountingLog & Required<PlacedLog> {
  const stderr = createStreamLog(process.stderr);
  const folder = logFolder();
  let isWritten = true;
  let hear: ((written: boolean) => void) | undefined;
  const file = createFileLog(folder, {
    changed: (written) => {
      isWritten = written;
      hear?.(written);
    },
    failed: (reason) => {
      stderr.write('warn', `the log is written here only, not in ${folder}: ${reason}`);
    },
  });
  const place: LogPlace = {
    path: folder,
    watch: (watcher) => {
      hear = watcher;
      if (!isWritten) watcher(false);
    },
  };
  const log = limitRepeats(
    {
      write: (level, message) => {
        stderr.write(level, message);
        file.write(level, message);
      },
    },
    systemClock.now,
  );
  return { ...log, place };
}
