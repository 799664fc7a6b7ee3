import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { removePath } from '../files/remove-path.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { UpdateOffer } from '../../../shared/updates/judge-update.ts';
import type { Proxies } from '../../ports/proxies.ts';
import { fileFailure } from '../files/file-error.ts';
import { renameFile } from '../files/rename-file.ts';
import { requestUpdateFile, UpdateError, updateErrorOf } from './update-request.ts';

export interface UpdatePatience {
  readonly idleMs: number;
  /** In each such time so much has to come; a server that drips keeps nobody for ever. */
  readonly windowMs: number;
  readonly minBytes: number;
}

interface Wanted {
  readonly feed: URL;
  /** Where files are until they are unpacked. */
  readonly folder: string;
  readonly offer: UpdateOffer;
  readonly patience: UpdatePatience;
  readonly signal: AbortSignal;
  readonly proxies: Proxies | undefined;
  readonly part: (ofOne: number) => void;
}

/**
 * Fetches the file of an offer, or the rest of it, and holds it against what was signed. Rejects with an
 * `UpdateError`; what came of a download that broke is kept for the next one.
 */
export async function fetchUpdate(wanted: Wanted): Promise<string> {
  const { folder, offer } = wanted;
  const { name, size } = offer.file;
  const path = join(folder, name);
  const partial = `${path}.part`;
  await onDisk(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  for (const other of await onDisk(folder, () => readdir(folder)))
    if (other !== name && other !== `${name}.part`) await removePath(join(folder, other));
  if (await isWhole(path, offer)) return path;
  await rm(path, { force: true });
  let begun = await sizeOf(partial);
  if (begun > size) begun = await begunAnew(partial);
  if (begun < size) {
    const fresh = await download(wanted, partial, begun);
    if (fresh) begun = 0;
  }
  if (!(await isWhole(partial, offer))) {
    await rm(partial, { force: true });
    // What it was gone on with may have been of another file.
    if (begun > 0) return fetchUpdate(wanted);
    throw new UpdateError(appError('updateAltered', { version: offer.version }));
  }
  await onDisk(folder, () => renameFile(partial, path));
  return path;
}

/** Whether it was begun anew, also where the rest was asked for. */
async function download(wanted: Wanted, partial: string, begun: number): Promise<boolean> {
  const { feed, folder, offer, patience, signal, proxies } = wanted;
  const { name, size } = offer.file;
  const url = new URL(name, feed);
  const asked = { url, idleMs: patience.idleMs, signal, proxies };
  const response = await requestUpdateFile({ ...asked, from: begun }).catch((error: unknown) => {
    // A server that has no such rest is asked for all of it.
    const restless = error instanceof UpdateError && error.error.facts;
    if (begun > 0 && restless && 'status' in restless && restless.status === 416)
      return requestUpdateFile(asked);
    throw error;
  });
  const goesOn =
    response.statusCode === 206 && rangeOf(response) === `bytes ${begun}-${size - 1}/${size}`;
  if (response.statusCode === 206 && !goesOn) {
    response.destroy();
    await begunAnew(partial);
    throw new UpdateError(appError('updateCutShort', { version: offer.version }));
  }
  const from = goesOn ? begun : 0;
  const promised = Number(response.headers['content-length'] ?? size - from);
  if (promised !== size - from) {
    response.destroy();
    const code = promised < size - from ? 'updateCutShort' : 'updateAltered';
    throw new UpdateError(appError(code, { version: offer.version }));
  }
  const file = await onDisk(partial, () => open(partial, goesOn ? 'a' : 'w', 0o600));
  try {
    await write(wanted, response, file, from);
    await onDisk(folder, () => file.sync());
  } catch (error) {
    // Whoever has no room left is not left with half a package.
    if (error instanceof UpdateError && error.error.code === 'diskFull')
      await rm(partial, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return !goesOn;
}

async function write(
  { feed, folder, offer, patience, part }: Wanted,
  response: IncomingMessage,
  file: FileHandle,
  from: number,
): Promise<void> {
  const { version } = offer;
  const { size } = offer.file;
  const { host } = feed;
  const altered = new UpdateError(appError('updateAltered', { version }));
  let bytes = from;
  let looked = from;
  const watch = setInterval(() => {
    if (bytes - looked < patience.minBytes)
      response.destroy(new UpdateError(appError('updateServerSlow', { host })));
    looked = bytes;
  }, patience.windowMs);
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > size) throw altered;
      await onDisk(folder, () => file.write(piece));
      part(bytes / size);
    }
  } catch (error) {
    throw new UpdateError(updateErrorOf(error, appError('updateCutShort', { version })));
  } finally {
    clearInterval(watch);
  }
  if (bytes < size) throw new UpdateError(appError('updateCutShort', { version }));
}

async function isWhole(path: string, { file }: UpdateOffer): Promise<boolean> {
  if ((await sizeOf(path)) !== file.size) return false;
  const hash: Hash = createHash('sha512');
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 }))
    hash.update(piece as Buffer);
  return hash.digest('base64') === file.sha512;
}

const rangeOf = ({ headers }: IncomingMessage): string => headers['content-range'] ?? '';

/** 0 where there is none. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function begunAnew(path: string): Promise<0> {
  await rm(path, { force: true });
  return 0;
}

async function onDisk<Value>(path: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw new UpdateError(fileFailure(path, error).error);
  }
}
