import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { appError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { UpdateOffer } from '../../../shared/updates/update-feed.ts';
import { removePath } from '../files/atomic-files.ts';
import { type MinSpeed, UpdateDownload } from './update-download.ts';
import { UpdateError, updateErrorOf, UpdateRequests } from './update-requests.ts';

/** Where new versions come from: one origin, and nothing that it does not sign. A step that is stopped has no outcome. */
export interface UpdateSource {
  /** As a sentence names it. */
  readonly host: string;
  /** Where a person can fetch the file of an offer. */
  readonly addressOf: (offer: UpdateOffer) => string;
  /** What the feed says; without the right signature it says nothing. */
  readonly describe: (stop: AbortSignal) => Promise<Outcome<string>>;
  /** The path of a file that is what was promised; a download that broke off is resumed. */
  readonly fetch: (
    offer: UpdateOffer,
    part: (ofOne: number) => void,
    stop: AbortSignal,
  ) => Promise<Outcome<string>>;
  /** Deletes what was fetched. */
  readonly clear: () => Promise<void>;
}

interface Place {
  /** Where files are until they are in place. */
  readonly folder: string;
  /** As electron-builder calls the feed of this system. */
  readonly feedName: string;
  /** The ways there; none but the straight one where they are left out. */
  readonly proxies?: Proxies | undefined;
  readonly patience?: MinSpeed & { readonly idleMs: number; readonly feedMs: number };
}

const defaultPatience = { idleMs: 30_000, windowMs: 60_000, minBytes: 64 * 1024, feedMs: 60_000 };

/** Updates from the one server that the build names. */
export function createUpdateSource(settings: UpdateSettings, place: Place): UpdateSource {
  const { folder, feedName, proxies, patience = defaultPatience } = place;
  const { feed } = settings;
  const { host } = feed;
  const requests = new UpdateRequests(feed, proxies, patience.idleMs);
  return {
    host,
    addressOf: ({ file }) => new URL(file.name, feed).href,
    describe: (stop) => {
      const late = AbortSignal.timeout(patience.feedMs);
      const read = readSignedFeed(requests, settings, feedName, AbortSignal.any([stop, late]));
      return outcomeOf(host, read, late);
    },
    fetch: (offer, part, stop) =>
      outcomeOf(host, new UpdateDownload(requests, folder, patience, offer).fetch(part, stop)),
    clear: () => removePath(folder),
  };
}

async function outcomeOf<Value>(
  host: string,
  step: Promise<Value>,
  late?: AbortSignal,
): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await step };
  } catch (error) {
    if (late?.aborted === true) return failure('updateServerSlow', { host });
    return { ok: false, error: updateErrorOf(error, appError('updateServerAway', { host })) };
  }
}

/** Notes in all languages are a hundredth of it. */
const maxFeedBytes = 256 * 1024;
const maxSignatureBytes = 1024;

/** The text of a feed that is signed with the build's key, in base64 beside it; of any other nothing is read. */
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
      // Without one it is as good as wrong.
      const missing = error instanceof UpdateError && error.error.code === 'updateServerRefuses';
      throw missing ? unsigned : error;
    });
  const signed = Buffer.from(signature.toString('ascii').trim(), 'base64');
  if (signed.length === 64 && verify(null, text, key, signed)) return text.toString('utf8');
  throw unsigned;
}

interface UpdateSettings {
  /** A folder on a server; everything about updates is asked for in it. */
  readonly feed: URL;
  /** Of the only one who is believed. */
  readonly key: KeyObject;
}

const settingsRule = z.object({ feed: z.string(), key: z.string() });

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * What the build has put into the package (`scripts/package/update-settings.mjs`); none where it was given no feed. One that
 * cannot be believed is none, and says so.
 */
export function readUpdateSettings(
  resources: string,
  complain: (why: string) => void,
): UpdateSettings | undefined {
  const path = join(resources, 'update-feed.json');
  if (!existsSync(path)) return undefined;
  try {
    const { feed, key } = settingsRule.parse(JSON.parse(readFileSync(path, 'utf8')));
    const url = new URL(feed);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.has(url.hostname)))
      throw new Error('its address is not https');
    if (!url.pathname.endsWith('/') || url.search !== '' || url.username !== '')
      throw new Error('its address is not that of a folder');
    const der = Buffer.from(key, 'base64');
    const signer = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (signer.asymmetricKeyType !== 'ed25519') throw new Error('its key is not one of Ed25519');
    return { feed: url, key: signer };
  } catch (error) {
    complain(`no updates, because of ${path}: ${error instanceof Error ? error.message : ''}`);
    return undefined;
  }
}
