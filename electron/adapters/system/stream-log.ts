import type { Writable } from 'node:stream';
import { harmlessLine } from '../../../shared/harmless-text.ts';
import type { Log } from '../../ports/log.ts';

/** More is no line any more that somebody reads. */
const maxEntryLetters = 4000;

/** One line an entry on a stream: stderr, so that stdout stays for results. */
export function createStreamLog(stream: Writable): Log {
  return {
    write: (level, message) => {
      stream.write(`parley ${level}: ${harmlessLine(message, maxEntryLetters)}\n`);
    },
  };
}
