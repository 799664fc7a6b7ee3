import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { DownloadError, toDownloadError } from './download-request.ts';

/** A download fails if fewer than `minBytes` arrive in a time of `windowMs`. */
export interface MinSpeed {
  readonly windowMs: number;
  readonly minBytes: number;
}

export interface FileDigest {
  readonly algorithm: 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
}

export interface ResumableDownload {
  /** Requests the file from this byte on. */
  readonly request: (from: number) => Promise<IncomingMessage>;
  /** The file that is filled, and continued if it exists. */
  readonly path: string;
  readonly size: number;
  readonly digest: FileDigest & { readonly expected: string };
  /** Called with the number of bytes so far, including those of an earlier download. */
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
  readonly minSpeed?: MinSpeed;
}

/** The size of a write. Large writes keep up with a fast network. */
const writeBytes = 1024 * 1024;
/** The file is synced after this many bytes, so that a large file does not wait for the disk at its end. */
const syncBytes = 32 * 1024 * 1024;

/**
 * Downloads the file, or the part that an earlier download did not get, and hashes it meanwhile. If the digest does not
 * match, it deletes the file and returns false. After a resumed download it first downloads the whole file once more.
 * Rejects with a `DownloadError`, or with the system's error of the disk.
 */
export async function downloadResumably(download: ResumableDownload): Promise<boolean> {
  const { path, size, digest, signal } = download;
  const existingBytes = await sizeOf(path);
  const reusableBytes = existingBytes > size ? 0 : existingBytes;
  let hash = createHash(digest.algorithm);
  let from = reusableBytes;
  if (reusableBytes > 0) await hashInto(hash, path, signal);
  if (existingBytes !== size) {
    const response = await requestFrom(download, reusableBytes);
    if (!response.isResumed) [from, hash] = [0, createHash(digest.algorithm)];
    await receive(download, response.message, from, hash);
  }
  if (hash.digest(digest.encoding) === digest.expected) return true;
  await rm(path, { force: true });
  // The earlier part may have belonged to another file.
  return from > 0 ? downloadResumably(download) : false;
}

/** Requests the file from this byte on. Requests it whole if the server supports no ranges or now has another file. */
async function requestFrom(
  { request, size }: ResumableDownload,
  from: number,
): Promise<{ readonly message: IncomingMessage; readonly isResumed: boolean }> {
  const response = await request(from).catch((error: unknown) => {
    if (from > 0 && isRangeRefused(error)) return undefined;
    throw error;
  });
  const isPart = response?.statusCode === 206;
  const isResumed =
    isPart && response.headers['content-range'] === `bytes ${from}-${size - 1}/${size}`;
  if (response !== undefined && isPart === isResumed) return { message: response, isResumed };
  response?.destroy();
  return { message: await request(0), isResumed: false };
}

function isRangeRefused(error: unknown): boolean {
  return (
    error instanceof DownloadError && error.fault.kind === 'refused' && error.fault.status === 416
  );
}

async function receive(
  download: ResumableDownload,
  response: IncomingMessage,
  from: number,
  hash: Hash,
): Promise<void> {
  const announcedBytes = Number(response.headers['content-length'] ?? NaN);
  if (from + announcedBytes !== download.size && !Number.isNaN(announcedBytes)) {
    response.destroy();
    // Checked before the file is opened: a captive portal's login page must not overwrite a good partial file.
    throw new DownloadError({ kind: 'otherSize', isLonger: from + announcedBytes > download.size });
  }
  const handle = await open(download.path, from > 0 ? 'a' : 'w', 0o600).catch((error: unknown) => {
    response.destroy();
    throw error;
  });
  try {
    await writePieces(download, response, handle, from, hash);
  } finally {
    await handle.close();
  }
}

/** Writes what arrives. One write runs while the next pieces arrive, so at most two batches are in memory. */
async function writePieces(
  { size, onBytes, minSpeed }: ResumableDownload,
  response: IncomingMessage,
  handle: FileHandle,
  from: number,
  hash: Hash,
): Promise<void> {
  let bytes = from;
  const writer = new BatchWriter(handle);
  const stopSpeedCheck = watchSpeed(response, minSpeed, () => bytes);
  onBytes(from);
  try {
    for await (const piece of readPieces(response)) {
      bytes += piece.length;
      if (bytes > size) throw new DownloadError({ kind: 'otherSize', isLonger: true });
      hash.update(piece);
      await writer.add(piece);
      onBytes(bytes);
    }
  } finally {
    stopSpeedCheck();
    // Flushes also after a failure, so that a later attempt continues from here.
    await writer.flush();
  }
  if (bytes < size) throw new DownloadError({ kind: 'otherSize', isLonger: false });
}

/** Turns failures of the connection into a `DownloadError`. */
async function* readPieces(response: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* response as AsyncIterable<Buffer>;
  } catch (error) {
    throw toDownloadError(error, 'cutShort');
  }
}

function watchSpeed(
  response: IncomingMessage,
  minSpeed: MinSpeed | undefined,
  bytes: () => number,
): () => void {
  if (minSpeed === undefined) return () => undefined;
  let checkedBytes = bytes();
  const watch = setInterval(() => {
    if (bytes() - checkedBytes < minSpeed.minBytes)
      response.destroy(new DownloadError({ kind: 'slow' }));
    checkedBytes = bytes();
  }, minSpeed.windowMs);
  return () => clearInterval(watch);
}

class BatchWriter {
  readonly #handle: FileHandle;
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #unsyncedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> | undefined;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async add(piece: Buffer): Promise<void> {
    this.#batch.push(piece);
    this.#batchBytes += piece.length;
    if (this.#batchBytes < writeBytes) return;
    await this.#writing;
    this.#startWrite();
  }

  async flush(): Promise<void> {
    await this.#writing;
    this.#startWrite();
    await this.#writing;
    await this.#syncing;
    await this.#handle.sync();
  }

  #startWrite(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#writing = this.#write(batch);
    // A failure is reported where the next write waits for this one.
    this.#writing.catch(() => undefined);
  }

  async #write(batch: readonly Buffer[]): Promise<void> {
    await writeAll(this.#handle, batch);
    this.#unsyncedBytes += batch.reduce((sum, { length }) => sum + length, 0);
    if (this.#unsyncedBytes < syncBytes) return;
    // A disk that is slower than the network slows the download down.
    await this.#syncing;
    this.#unsyncedBytes = 0;
    this.#syncing = this.#handle.datasync();
    this.#syncing.catch(() => undefined);
  }
}

/** Writes a batch. On a disk that is almost full, the system writes a part of it and fails at the next call. */
async function writeAll(handle: FileHandle, batch: readonly Buffer[]): Promise<void> {
  if (batch.length === 0) return;
  const total = batch.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await handle.writev(batch);
  if (bytesWritten < total) await handle.writeFile(Buffer.concat(batch).subarray(bytesWritten));
}

/** Hashes a file. `onBytes` is called with the number of bytes so far. */
export async function hashFile(
  path: string,
  { algorithm, encoding }: FileDigest,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const hash = createHash(algorithm);
  await hashInto(hash, path, signal, onBytes);
  return hash.digest(encoding);
}

async function hashInto(
  hash: Hash,
  path: string,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024, signal })) {
    hash.update(piece as Buffer);
    bytes += (piece as Buffer).length;
    onBytes?.(bytes);
  }
}

/** The size of a file in bytes, or 0 without one. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
