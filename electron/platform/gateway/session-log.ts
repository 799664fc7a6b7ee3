import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { SessionLog } from '../../gateway/gateway.ts';
import { fileFailure, makeFolder } from '../files/atomic-files.ts';

/** On a slow disk, frames are dropped while more unwritten data than this waits. */
const maxBufferedBytes = 256 * 1024 * 1024;

/** Creates the folder if needed, and returns a function that creates a file for a session. */
export async function openSessionLogs(
  folder: string,
  startedAt: Date,
  log: Log,
): Promise<Outcome<(session: number) => SessionLog>> {
  try {
    makeFolder(folder);
  } catch (error) {
    return fileFailure(folder, error);
  }
  const start = startedAt.toISOString().replaceAll(/[:.]/g, '-');
  return {
    ok: true,
    value: (session) => openFile(join(folder, `${start}-${session}.ndjson`), log),
  };
}

function openFile(path: string, log: Log): SessionLog {
  // Private, because the file contains the users' sound.
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let hasFailed = false;
  stream.on('error', (error) => {
    hasFailed = true;
    log.write('warn', `recording of a gateway session stopped: ${error.message}`);
  });
  return {
    write: (line) => {
      if (!hasFailed && stream.writableLength < maxBufferedBytes) stream.write(`${line}\n`);
    },
    end: () => stream.end(),
  };
}
