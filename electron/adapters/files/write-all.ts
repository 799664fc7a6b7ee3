import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all of it. A disk that becomes full takes a part without a word, and says that it is full when it is asked once
 * more: who writes only once has half of it, and no error.
 */
export async function writeAll(
  handle: FileHandle,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}
