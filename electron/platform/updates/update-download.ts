import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { UpdateOffer } from '../../../shared/updates/update-feed.ts';
import { fileFailure, removePath, renameFile } from '../files/atomic-files.ts';
import { openTunnel, ProxyError, type ServerPlace } from '../net/proxy-tunnel.ts';
import { systemCertificates } from '../net/system-network.ts';

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

/** An expected failure on its way through code that reads streams. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.code);
    this.error = error;
  }
}

export interface UpdateRequest {
  readonly url: URL;
  /** Goes on behind what is there already. */
  readonly from?: number;
  /** Nothing coming for so long is too long. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The ways there; none but the straight one where they are left out. */
  readonly proxies?: Proxies | undefined;
}

/**
 * Asks for one file and sends nothing along: no cookie, no name, no version. What points elsewhere is not followed.
 * Rejects with an `UpdateError`.
 */
export async function requestUpdateFile(wanted: UpdateRequest): Promise<IncomingMessage> {
  const { url, from = 0, idleMs, signal } = wanted;
  const { host } = url;
  const tunnel = await tunnelFor(wanted);
  const headers = {
    'user-agent': 'Parley',
    'cache-control': 'no-cache',
    ...(from > 0 && { range: `bytes=${from}-` }),
  };
  return new Promise((resolve, reject) => {
    const options = { headers, signal, ...lineOptions(url, tunnel), timeout: idleMs };
    let coming: IncomingMessage | undefined;
    const answered = (response: IncomingMessage): void => {
      coming = response;
      const refusal = refusalOf(response, host);
      if (refusal === undefined) {
        resolve(response);
        return;
      }
      response.destroy();
      reject(new UpdateError(refusal));
    };
    const request =
      url.protocol === 'https:'
        ? getSecure(url, { ...options, ca: systemCertificates() }, answered)
        : getPlain(url, options, answered);
    request.on('timeout', () => {
      // A request that is destroyed tells its answer's reader of a broken line only.
      (coming ?? request).destroy(new UpdateError(appError('updateServerSlow', { host })));
    });
    request.on('error', (error) => {
      reject(new UpdateError(updateErrorOf(error, appError('updateServerAway', { host }))));
    });
  });
}

/** Where a proxy is to be used; one that is waited for too long is named. */
async function tunnelFor({
  url,
  idleMs,
  signal,
  proxies,
}: UpdateRequest): Promise<Socket | undefined> {
  if (proxies === undefined) return undefined;
  const server = placeOf(url);
  try {
    return await openTunnel({ url: url.href, server, proxies, signal, patienceMs: idleMs });
  } catch (error) {
    throw error instanceof ProxyError ? new UpdateError(error.error) : error;
  }
}

function placeOf({ hostname, port, protocol }: URL): ServerPlace {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/gu, ''), port: port === '' ? usual : Number(port) };
}

/** TLS goes on inside of the tunnel, with the server's certificate held against its name as ever. */
function lineOptions(url: URL, tunnel: Socket | undefined) {
  if (tunnel === undefined) return { agent: false as const };
  const { host } = placeOf(url);
  return {
    createConnection: () =>
      url.protocol === 'https:'
        ? connectTls({
            socket: tunnel,
            host,
            ...(isIP(host) === 0 ? { servername: host } : {}),
            ALPNProtocols: ['http/1.1'],
            ca: systemCertificates(),
          })
        : tunnel,
  };
}

/** What a stream was broken by, or else what that means. */
function updateErrorOf(error: unknown, otherwise: AppError): AppError {
  if (error instanceof UpdateError) return error.error;
  return { ...otherwise, detail: describeError(error) };
}

function refusalOf(
  { statusCode: status = 0 }: IncomingMessage,
  host: string,
): AppError | undefined {
  if (status === 200 || status === 206) return undefined;
  if (status >= 300 && status < 400) return appError('updateRedirected', { host });
  return appError('updateServerRefuses', { host, status });
}
