import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFileWriter } from '../../../../../electron/platform/files/file-storage.ts';
import { appError, type AppError } from '../../../../../shared/errors/app-error.ts';

/** A disk that accepts three bytes at a time, and is slowest at first. */
function slowDisk() {
  const file: number[] = [];
  let delay = 10;
  const write = async (bytes: Uint8Array, from: number, length: number, position: number) => {
    await wait((delay /= 2));
    const taken = bytes.subarray(from, from + Math.min(3, length));
    for (const [index, byte] of taken.entries()) file[position + index] = byte;
    return { bytesWritten: taken.length };
  };
  const handle = { write, close: () => Promise.resolve() } as unknown as FileHandle;
  return { file, handle };
}

describe('createFileWriter', () => {
  it('completes each write before the next', async () => {
    const { file, handle } = slowDisk();
    const writer = createFileWriter('a', handle);
    writer.append(new Uint8Array([1, 2, 3, 4, 5, 6, 7]));
    writer.writeAt(0, new Uint8Array([9]));
    writer.append(new Uint8Array([8]));
    await writer.close();
    expect(file).toEqual([9, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('stops at its limit, keeps the file, and reports it once', async () => {
    const { file, handle } = slowDisk();
    const errors: AppError[] = [];
    const writer = createFileWriter('a', handle, (error) => errors.push(error), 4);
    writer.append(new Uint8Array([1, 2, 3]));
    writer.append(new Uint8Array([4, 5]));
    writer.append(new Uint8Array([6]));
    const error = appError('fileFull', { path: 'a', limit: '0 MB' });
    expect(await writer.close()).toEqual({ ok: false, error });
    expect([file, errors]).toEqual([[1, 2, 3], [error]]);
  });
});
