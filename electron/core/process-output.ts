import type { Writable } from 'node:stream';
import { onOutputGone, writeSafely } from '../adapters/system/safe-output.ts';

/** Where hosts and commands say something. Nothing that is written here ever throws. */
export const processOutput = {
  out: (text: string): void => {
    withStream('stdout', (stream) => {
      writeSafely(stream, text);
    });
  },
  err: (text: string): void => {
    withStream('stderr', (stream) => {
      writeSafely(stream, text);
    });
  },
  /** Nobody reads results any more, as when `| head` has seen enough. */
  onOutGone: (listener: () => void): void => {
    withStream('stdout', (stream) => {
      onOutputGone(stream, listener);
    });
  },
} as const;

/** Even looking at them can throw, where whoever started Parley has closed them. */
function withStream(name: 'stdout' | 'stderr', write: (stream: Writable) => void): void {
  let stream: Writable;
  try {
    stream = process[name];
  } catch {
    return;
  }
  write(stream);
}
