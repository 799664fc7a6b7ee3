import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { appError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { UpdateOffer } from '../../../shared/updates/update-feed.ts';
import { removePath } from '../files/atomic-files.ts';
import { DownloadError } from '../net/download-request.ts';
import type { MinSpeed } from '../net/resumable-download.ts';
import { UpdateDownload } from './update-download.ts';
import { toUpdateError, UpdateError, UpdateRequests } from './update-requests.ts';

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

/** A hundred times what release notes in all languages take. */
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
