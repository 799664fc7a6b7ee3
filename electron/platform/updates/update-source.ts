import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  appError,
  failure,
  describeError,
  type Outcome,
  type AppError,
} from '../../../shared/errors/app-error.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { UpdateOffer } from '../../../shared/updates/update-feed.ts';
import { removePath, fileFailure, renameFile } from '../files/atomic-files.ts';
import { DownloadError, openDownload } from '../net/download-request.ts';
import {
  downloadResumably,
  hashFile,
  sizeOf,
  type MinSpeed,
  type FileDigest,
} from '../net/resumable-download.ts';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';

/** A source of updates: one server with signed feeds. The outcome of an aborted step is ignored. */
export interface UpdateSource {
  readonly host: string;
  readonly addressOf: (offer: UpdateOffer) => string;
  /** The text of the feed. Fails without a valid signature. */
  readonly describe: (stop: AbortSignal) => Promise<Outcome<string>>;
  /** The path of the verified package. An interrupted download is resumed. */
  readonly fetch: (
    offer: UpdateOffer,
    onProgress: (fraction: number) => void,
    stop: AbortSignal,
  ) => Promise<Outcome<string>>;
  readonly clear: () => Promise<void>;
}

interface SourceOptions {
  readonly folder: string;
  readonly feedName: string;
  /** Undefined for direct connections. */
  readonly proxies?: Proxies | undefined;
  readonly timeouts?: MinSpeed & { readonly idleMs: number; readonly feedMs: number };
}

const defaultTimeouts = { idleMs: 30_000, windowMs: 60_000, minBytes: 64 * 1024, feedMs: 60_000 };

/** The updates of the server that the build names. */
export function createUpdateSource(settings: UpdateSettings, options: SourceOptions): UpdateSource {
  const { folder, feedName, proxies, timeouts = defaultTimeouts } = options;
  const { feed } = settings;
  const { host } = feed;
  const requests = new UpdateRequests(feed, proxies, timeouts.idleMs);
  return {
    host,
    addressOf: ({ file }) => new URL(file.name, feed).href,
    describe: (stop) => {
      const timeout = AbortSignal.timeout(timeouts.feedMs);
      const feedText = readSignedFeed(
        requests,
        settings,
        feedName,
        AbortSignal.any([stop, timeout]),
      );
      return toOutcome(feedText, { host, timeout });
    },
    fetch: (offer, onProgress, stop) => {
      const { version } = offer;
      const download = new UpdateDownload(requests, folder, timeouts, offer).fetch(
        onProgress,
        stop,
      );
      return toOutcome(download, { host, version });
    },
    clear: () => removePath(folder),
  };
}

async function toOutcome<Value>(
  step: Promise<Value>,
  { host, version, timeout }: { host: string; version?: string; timeout?: AbortSignal },
): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await step };
  } catch (error) {
    if (timeout?.aborted === true) return failure('updateServerSlow', { host });
    return { ok: false, error: toUpdateError(error, host, version) };
  }
}

/** A hundred times the size of release notes in all languages. */
const maxFeedBytes = 256 * 1024;
const maxSignatureBytes = 1024;

/** Returns the text of a feed. Throws unless its detached signature (base64) matches the build's key. */
async function readSignedFeed(
  requests: UpdateRequests,
  { feed: { host }, key }: UpdateSettings,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const text = await requests.read(name, maxFeedBytes, signal);
  const unsigned = new UpdateError(appError('updateUnsigned', { host }));
  const signature = await requests
    .read(`${name}.sig`, maxSignatureBytes, signal)
    .catch((error: unknown) => {
      // A missing signature counts as a wrong one.
      const isMissing = error instanceof DownloadError && error.fault.kind === 'refused';
      throw isMissing ? unsigned : error;
    });
  const signatureBytes = Buffer.from(signature.toString('ascii').trim(), 'base64');
  if (signatureBytes.length === 64 && verify(null, text, key, signatureBytes))
    return text.toString('utf8');
  throw unsigned;
}

interface UpdateSettings {
  readonly feed: URL;
  /** The only trusted signer. */
  readonly key: KeyObject;
}

const settingsRule = z.object({ feed: z.string(), key: z.string() });

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Reads the settings of `scripts/package/update-feed.mjs`. Invalid ones are reported and ignored. */
export function readUpdateSettings(
  resources: string,
  onInvalid: (reason: string) => void,
): UpdateSettings | undefined {
  const path = join(resources, 'update-feed.json');
  if (!existsSync(path)) return undefined;
  try {
    const { feed, key } = settingsRule.parse(JSON.parse(readFileSync(path, 'utf8')));
    const url = new URL(feed);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.has(url.hostname)))
      throw new Error('the feed address must use https');
    if (!url.pathname.endsWith('/') || url.search !== '' || url.username !== '')
      throw new Error('the feed address must be a folder that ends in a slash');
    const der = Buffer.from(key, 'base64');
    const signer = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (signer.asymmetricKeyType !== 'ed25519') throw new Error('the key must be an Ed25519 key');
    return { feed: url, key: signer };
  } catch (error) {
    onInvalid(
      `updates are off, because ${path} is invalid: ${error instanceof Error ? error.message : ''}`,
    );
    return undefined;
  }
}

const feedDigest: FileDigest = { algorithm: 'sha512', encoding: 'base64' };

/** Downloads the package of an update and verifies it. */
class UpdateDownload {
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

  /**
   * Returns the path of the complete file. If it rejects, it keeps the partial file for resuming, unless the disk is
   * full or the file is altered.
   */
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

/** Carries an expected failure through stream code. */
class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.code);
    this.error = error;
  }
}

/** Requests the feed's files through the proxies, without cookies or Parley's version. Follows no redirects. */
class UpdateRequests {
  readonly feed: URL;
  readonly #proxies: Proxies | undefined;
  readonly #idleMs: number;

  constructor(feed: URL, proxies: Proxies | undefined, idleMs: number) {
    this.feed = feed;
    this.#proxies = proxies;
    this.#idleMs = idleMs;
  }

  /** Requests a file from this byte on, if the server supports that. Rejects with a `DownloadError`. */
  get(name: string, signal: AbortSignal, from = 0): Promise<IncomingMessage> {
    const headers = { 'cache-control': 'no-cache' };
    const url = new URL(name, this.feed);
    return openDownload({
      url,
      proxies: this.#proxies,
      signal,
      idleMs: this.#idleMs,
      from,
      headers,
    });
  }

  /** Reads a whole file up to a size limit. */
  async read(name: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of (await this.get(name, signal)) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes)
        throw new UpdateError(appError('updateFeedDamaged', { host: this.feed.host }));
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}

/** The failure of a feed or file. `version` is undefined for the feed. */
function toUpdateError(error: unknown, host: string, version?: string): AppError {
  if (error instanceof UpdateError) return error.error;
  if (!(error instanceof DownloadError))
    return appError('updateServerAway', { host }, { detail: describeError(error) });
  const { fault } = error;
  switch (fault.kind) {
    case 'proxy':
      return fault.error;
    case 'slow':
      return appError('updateServerSlow', { host });
    case 'redirected':
      return appError('updateRedirected', { host });
    case 'refused':
      return appError('updateServerRefuses', { host, status: fault.status });
    case 'away':
    case 'untrusted':
      return appError('updateServerAway', { host }, { detail: fault.detail });
    case 'cutShort':
    case 'otherSize': {
      if (version === undefined) return appError('updateServerAway', { host });
      const isAltered = fault.kind === 'otherSize' && fault.isLonger;
      return appError(isAltered ? 'updateAltered' : 'updateCutShort', { version });
    }
  }
}
