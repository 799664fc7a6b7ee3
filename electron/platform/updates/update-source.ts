import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { appError, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { RunningUpdateStep, UpdateSource } from '../../../shared/updates/update-feed.ts';
import { removePath } from '../files/atomic-files.ts';
import {
  fetchUpdate,
  requestUpdateFile,
  UpdateError,
  type UpdatePatience,
  type UpdateRequest,
} from './update-download.ts';

interface Place {
  /** Where files are until they are unpacked. */
  readonly folder: string;
  /** As electron-builder calls the feed of this system. */
  readonly feedName: string;
  /** The ways there; none but the straight one where they are left out. */
  readonly proxies?: Proxies | undefined;
  readonly patience?: UpdatePatience & { readonly feedMs: number };
}

const defaultPatience = { idleMs: 30_000, windowMs: 60_000, minBytes: 64 * 1024, feedMs: 60_000 };

/** Updates from the one server that the build names. */
export function createUpdateSource(settings: UpdateSettings, place: Place): UpdateSource {
  const { folder, feedName, proxies, patience = defaultPatience } = place;
  const { feed } = settings;
  const { host } = feed;
  return {
    host,
    describe: () =>
      stoppable((signal, stop) => {
        const late = setTimeout(() => {
          stop(new UpdateError(appError('updateServerSlow', { host })));
        }, patience.feedMs);
        const way = { idleMs: patience.idleMs, signal, proxies };
        return readSignedFeed(settings, feedName, way).finally(() => {
          clearTimeout(late);
        });
      }, host),
    fetch: (offer, part) =>
      stoppable(
        (signal) => fetchUpdate({ feed, folder, offer, patience, signal, part, proxies }),
        host,
      ),
    clear: () => removePath(folder),
  };
}

function stoppable<Value>(
  run: (signal: AbortSignal, stop: (why: unknown) => void) => Promise<Value>,
  host: string,
): RunningUpdateStep<Value> {
  const control = new AbortController();
  const stop = (why?: unknown): void => {
    control.abort(why);
  };
  const done = run(control.signal, stop).then(
    (value): Outcome<Value> => ({ ok: true, value }),
    (error: unknown): Outcome<Value> => {
      const reason: unknown = control.signal.reason;
      if (reason instanceof UpdateError) return { ok: false, error: reason.error };
      if (error instanceof UpdateError) return { ok: false, error: error.error };
      return {
        ok: false,
        error: appError('updateServerAway', { host }, { detail: describeError(error) }),
      };
    },
  );
  return {
    done,
    stop: () => {
      stop();
    },
  };
}

/** Notes in all languages are a hundredth of it. */
const maxFeedBytes = 256 * 1024;
const maxSignatureBytes = 1024;

type Way = Pick<UpdateRequest, 'idleMs' | 'signal' | 'proxies'>;

/** The text of a feed that is signed with the build's key, in base64 beside it; of any other nothing is read. */
async function readSignedFeed(
  { feed, key }: UpdateSettings,
  name: string,
  way: Way,
): Promise<string> {
  const url = new URL(name, feed);
  const text = await readSmallFile(url, maxFeedBytes, way);
  const signature = await readSmallFile(new URL(`${name}.sig`, feed), maxSignatureBytes, way).catch(
    (error: unknown) => {
      // Without one it is as good as wrong.
      const missing = error instanceof UpdateError && error.error.code === 'updateServerRefuses';
      throw missing ? new UpdateError(appError('updateUnsigned', { host: url.host })) : error;
    },
  );
  const signed = Buffer.from(signature.toString('ascii').trim(), 'base64');
  if (signed.length === 64 && verify(null, text, key, signed)) return text.toString('utf8');
  throw new UpdateError(appError('updateUnsigned', { host: url.host }));
}

async function readSmallFile(url: URL, maxBytes: number, way: Way): Promise<Buffer> {
  const response = await requestUpdateFile({ url, ...way });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new UpdateError(appError('updateFeedDamaged', { host: url.host }));
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
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
