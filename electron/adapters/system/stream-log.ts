import type { Writable } from 'node:stream';
import type { Log } from '../../ports/log.ts';

/** One line an entry on a stream: stderr, so that stdout stays for results. */
export function createStreamLog(stream: Writable): Log {
  return {
    write: (level, message) => {
      stream.write(`parley ${level}: ${message.replaceAll('\n', ' ')}\n`);
    },
  };
}
