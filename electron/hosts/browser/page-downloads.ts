import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SaveMethod } from '../../../shared/ports/files.ts';

interface OfferedFile {
  readonly path: string;
  readonly name: string;
  readonly stopTimer: () => void;
}

/** An offer expires after this. Browsers fetch an offered file at once, so the time is generous. */
const defaultWaitMs = 10 * 60_000;
const folder = '/download/';

/** Offers files to the user's browser, each once and at an address that cannot be guessed. */
export class PageDownloads {
  readonly #offers = new Map<string, OfferedFile>();
  readonly #waitMs: number;

  constructor(waitMs = defaultWaitMs) {
    this.#waitMs = waitMs;
  }

  readonly saveMethod: SaveMethod = {
    kind: 'download',
    offer: (path, name) => {
      const id = randomBytes(24).toString('base64url');
      const timer = setTimeout(() => {
        void this.#take(id);
        void removeFile(path);
      }, this.#waitMs);
      timer.unref();
      this.#offers.set(id, {
        path,
        name,
        stopTimer: () => clearTimeout(timer),
      });
      return folder + id;
    },
  };

  /** Sends the file at this address. Returns false if there is none. */
  async answer(pathname: string, response: ServerResponse): Promise<boolean> {
    if (!pathname.startsWith(folder)) return false;
    const offer = this.#take(pathname.slice(folder.length));
    if (offer === undefined) return false;
    const { path, name } = offer;
    try {
      const { size } = await stat(path);
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': size,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      await pipeline(createReadStream(path), response);
    } catch {
      // The browser or the file is gone. The browser sees by the length that the download is incomplete.
      response.destroy();
    } finally {
      await removeFile(path);
    }
    return true;
  }

  async end(): Promise<void> {
    const pending = [...this.#offers.keys()].flatMap((id) => this.#take(id) ?? []);
    await Promise.all(pending.map(({ path }) => removeFile(path)));
  }

  #take(id: string): OfferedFile | undefined {
    const offer = this.#offers.get(id);
    this.#offers.delete(id);
    offer?.stopTimer();
    return offer;
  }
}

/** Each file has a temporary folder, which is removed with it. */
function removeFile(path: string): Promise<void> {
  return rm(dirname(path), { recursive: true, force: true }).catch(() => undefined);
}
