import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appError } from '../../../shared/errors/app-error.ts';
import type { UpdateOffer } from '../../../shared/updates/update-feed.ts';
import { fileFailure, removePath, renameFile } from '../files/atomic-files.ts';
import { DownloadError } from '../net/download-request.ts';
import {
  downloadResumably,
  type FileDigest,
  hashFile,
  type MinSpeed,
  sizeOf,
} from '../net/resumable-download.ts';
import { UpdateError, type UpdateRequests } from './update-requests.ts';

const feedDigest: FileDigest = { algorithm: 'sha512', encoding: 'base64' };

/** Downloads the package of an update and verifies it. */
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

  /** Returns the path of the complete file, or rejects and keeps the partial file for resuming. */
  async fetch(onProgress: (fraction: number) => void, signal: AbortSignal): Promise<string> {
    const { version, file } = this.#offer;
    await this.#withDiskErrors(() => this.#clearOthers());
    if (await this.#isComplete(signal)) return this.#path;
    await rm(this.#path, { force: true });
    const isIntact = await this.#withDiskErrors(() =>
      downloadResumably({
        request: (from) => this.#requests.get(file.name, signal, from),
        path: this.#partial,
        size: file.size,
        digest: { ...feedDigest, expected: file.sha512 },
        onBytes: (bytes) => {
          if (bytes > 0) onProgress(bytes / file.size);
        },
        signal,
        minSpeed: this.#minSpeed,
      }),
    );
    if (!isIntact) {
      await rmdir(this.#folder).catch(() => undefined);
      throw new UpdateError(appError('updateAltered', { version }));
    }
    await this.#withDiskErrors(() => renameFile(this.#partial, this.#path));
    return this.#path;
  }

  async #clearOthers(): Promise<void> {
    const { name } = this.#offer.file;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const other of await readdir(this.#folder))
      if (other !== name && other !== `${name}.part`) await removePath(join(this.#folder, other));
  }

  async #isComplete(signal: AbortSignal): Promise<boolean> {
    const { size, sha512 } = this.#offer.file;
    if ((await sizeOf(this.#path)) !== size) return false;
    return (await hashFile(this.#path, feedDigest, signal)) === sha512;
  }

  async #withDiskErrors<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DownloadError) throw error;
      const diskError = fileFailure(this.#folder, error).error;
      // On a full disk, the partial file would only waste space.
      if (diskError.code === 'diskFull') await rm(this.#partial, { force: true });
      throw new UpdateError(diskError);
    }
  }
}
