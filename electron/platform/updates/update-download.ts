import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { appError } from '../../../shared/errors/app-error.ts';
import type { UpdateOffer } from '../../../shared/updates/update-feed.ts';
import { fileFailure, removePath, renameFile } from '../files/atomic-files.ts';
import { UpdateError, unwrapUpdateError, type UpdateRequests } from './update-requests.ts';

/** Minimum bytes per window, so a trickling server is given up. */
export interface MinSpeed {
  readonly windowMs: number;
  readonly minBytes: number;
}

export class UpdateDownload {
  readonly #requests: UpdateRequests;
  readonly #folder: string;
  readonly #minSpeed: MinSpeed;
  readonly #offer: UpdateOffer;
  readonly #path: string;
  readonly #partial: string;

  constructor(requests: UpdateRequests, folder: string, minSpeed: MinSpeed, offer: UpdateOffer) {
    this.#requests = requests;
    this.#folder = folder;
    this.#minSpeed = minSpeed;
    this.#offer = offer;
    this.#path = join(folder, offer.file.name);
    this.#partial = `${this.#path}.part`;
  }

  /** Returns the complete file's path, or rejects with an `UpdateError` and keeps the part for resuming. */
  async fetch(part: (ofOne: number) => void, signal: AbortSignal): Promise<string> {
    await this.#clearOthers();
    if (await this.#isWhole(this.#path)) return this.#path;
    await rm(this.#path, { force: true });
    const { version, file } = this.#offer;
    const begun = await sizeOf(this.#partial);
    let from = begun > file.size ? 0 : begun;
    if (begun !== file.size) from = await this.#download(from, part, signal);
    if (!(await this.#isWhole(this.#partial))) {
      await rm(this.#partial, { force: true });
      // The resumed part may have belonged to another file.
      if (from > 0) return this.fetch(part, signal);
      await rmdir(this.#folder).catch(() => undefined);
      throw new UpdateError(appError('updateAltered', { version }));
    }
    await this.#onDisk(() => renameFile(this.#partial, this.#path));
    return this.#path;
  }

  async #clearOthers(): Promise<void> {
    const folder = this.#folder;
    const { name } = this.#offer.file;
    await this.#onDisk(() => mkdir(folder, { recursive: true, mode: 0o700 }));
    for (const other of await this.#onDisk(() => readdir(folder)))
      if (other !== name && other !== `${name}.part`) await removePath(join(folder, other));
  }

  /** Returns the offset from which it resumed; a server without range support sends the whole file. */
  async #download(
    begun: number,
    part: (ofOne: number) => void,
    signal: AbortSignal,
  ): Promise<number> {
    const { name, size } = this.#offer.file;
    let response = await this.#requests.get(name, signal, begun).catch((error: unknown) => {
      if (begun > 0 && isRangeRefused(error)) return undefined;
      throw error;
    });
    const range = `bytes ${begun}-${size - 1}/${size}`;
    const isRest = response?.statusCode === 206 && response.headers['content-range'] === range;
    if (response === undefined || (response.statusCode === 206 && !isRest)) {
      response?.destroy();
      response = await this.#requests.get(name, signal);
    }
    const from = isRest ? begun : 0;
    const file = await this.#onDisk(() => open(this.#partial, from > 0 ? 'a' : 'w', 0o600));
    try {
      await this.#write(response, file, from, part);
      await this.#onDisk(() => file.sync());
    } catch (error) {
      // On a full disk, the partial file would only waste space.
      if (error instanceof UpdateError && error.error.code === 'diskFull')
        await rm(this.#partial, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return from;
  }

  async #write(
    response: IncomingMessage,
    file: FileHandle,
    from: number,
    part: (ofOne: number) => void,
  ): Promise<void> {
    const { version } = this.#offer;
    const { size } = this.#offer.file;
    const { host } = this.#requests.feed;
    const { windowMs, minBytes } = this.#minSpeed;
    let bytes = from;
    let checkedBytes = from;
    const watch = setInterval(() => {
      if (bytes - checkedBytes < minBytes)
        response.destroy(new UpdateError(appError('updateServerSlow', { host })));
      checkedBytes = bytes;
    }, windowMs);
    try {
      for await (const piece of response as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (bytes > size) throw new UpdateError(appError('updateAltered', { version }));
        await this.#onDisk(() => file.write(piece));
        part(bytes / size);
      }
    } catch (error) {
      throw new UpdateError(unwrapUpdateError(error, appError('updateCutShort', { version })));
    } finally {
      clearInterval(watch);
    }
    if (bytes < size) throw new UpdateError(appError('updateCutShort', { version }));
  }

  async #isWhole(path: string): Promise<boolean> {
    const { size, sha512 } = this.#offer.file;
    if ((await sizeOf(path)) !== size) return false;
    const hash = createHash('sha512');
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 }))
      hash.update(piece as Buffer);
    return hash.digest('base64') === sha512;
  }

  async #onDisk<Value>(act: () => Promise<Value>): Promise<Value> {
    try {
      return await act();
    } catch (error) {
      throw new UpdateError(fileFailure(this.#folder, error).error);
    }
  }
}

function isRangeRefused(error: unknown): boolean {
  if (!(error instanceof UpdateError)) return false;
  const { facts } = error.error;
  return 'status' in facts && facts.status === 416;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
