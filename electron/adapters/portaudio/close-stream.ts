import type { NativeSound, NativeStream } from './native-sound.ts';

export type CloseStream = (stream: NativeStream) => Promise<void>;

/** A dead sound server can hold a close up for ever; then it is left behind and the app goes on. */
const patienceMs = 1000;

/** Closes a stream within a bounded time. */
export function boundedClose(native: NativeSound): CloseStream {
  return async (stream) => {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([native.close(stream), waited]);
    clearTimeout(timer);
  };
}
