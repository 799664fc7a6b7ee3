import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { errorCode } from '../../../shared/sanitize-text.ts';
import { fileFailure } from '../files/atomic-files.ts';

/** Reads a text file, but follows no link. Undefined without a file. A file over the limit is not read. */
export async function readPlainFile(
  path: string,
  maxBytes: number,
): Promise<Outcome<string | undefined>> {
  try {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return failure('toolFileLink', { path });
    if (!facts.isFile()) return failure('toolNotText', { path });
    return await readText(path, maxBytes);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: true, value: undefined };
    // A link has replaced the file meanwhile.
    return code === 'ELOOP' ? failure('toolFileLink', { path }) : fileFailure(path, error);
  }
}

async function readText(path: string, maxBytes: number): Promise<Outcome<string>> {
  // A pipe would block, and a link may have replaced the file.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) return failure('toolFileLarge', { path });
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await file.read(buffer, 0, size, 0);
    const text = new TextDecoder('utf-8').decode(buffer.subarray(0, bytesRead));
    return text.includes('\0') ? failure('toolNotText', { path }) : { ok: true, value: text };
  } finally {
    await file.close();
  }
}
