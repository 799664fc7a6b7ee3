import type { Writable } from 'node:stream';
import type { Log } from '../../ports/log.ts';
import { logText } from './log-text.ts';
import { writeSafely } from './safe-output.ts';

/** One line an entry on a stream: stderr, so that stdout stays for results. */
export function createStreamLog(stream: Writable): Log {
  return {
    write: (level, message) => {
      writeSafely(stream, `parley ${level}: ${logText(message)}\n`);
    },
  };
}
