import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  failure,
  errorCode,
  appError,
  describeError,
  type Outcome,
  type AppError,
} from '../../../shared/errors/app-error.ts';
import type { Files } from '../../../shared/ports/files.ts';
import type { Job, ModelDisk, FetchModelFile, ModelFileRequest } from '../../model/model-disk.ts';
import {
  fileFailure,
  isFromBeforeBoot,
  isRunning,
  orFailure,
  renameFile,
} from '../files/atomic-files.ts';
import { hashFile, sizeOf, downloadResumably } from '../net/resumable-download.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import {
  DownloadError,
  openDownload,
  isPlainAllowed,
  type DownloadFault,
} from '../net/download-request.ts';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  modelCatalogue,
  type ModelCatalogue,
  type ModelMirror,
} from '../../model/model-catalogue.ts';

/** The path of a file while it is downloaded. */
function partialPath(path: string): string {
  return `${path}.part`;
}

/** Runs work with a signal that `stop` aborts. */
function startJob<Value>(work: (signal: AbortSignal) => Promise<Outcome<Value>>): Job<Value> {
  const control = new AbortController();
  const run = async (): Promise<Outcome<Value> | undefined> => {
    const outcome = await work(control.signal);
    // Work that finished before it was stopped keeps its value.
    return control.signal.aborted && !outcome.ok ? undefined : outcome;
  };
  return {
    result: run(),
    stop: () => control.abort(),
  };
}

export function createModelDisk(files: Pick<Files, 'freeSpace'>): ModelDisk {
  return {
    find: async (folder, path) => {
      try {
        const facts = await stat(join(folder, path));
        // Versions are compared in whole milliseconds.
        const changedAt = Math.floor(facts.mtimeMs);
        return facts.isFile() ? { bytes: facts.size, changedAt } : undefined;
      } catch {
        return undefined;
      }
    },
    partialBytes: (folder, path) => sizeOf(partialPath(join(folder, path))),
    hash: (folder, name, onBytes) => {
      const path = join(folder, name);
      const digest = { algorithm: 'sha256', encoding: 'hex' } as const;
      return startJob((signal) => orFailure(path, () => hashFile(path, digest, signal, onBytes)));
    },
    freeSpace: files.freeSpace,
    remove: (folder, paths) =>
      orFailure(folder, async () => {
        for (const path of paths.map((name) => join(folder, name))) {
          await rm(path, { force: true });
          await rm(partialPath(path), { force: true });
        }
        for (const path of new Set(paths.map((name) => dirname(join(folder, name)))))
          if (path !== folder) await removeIfEmpty(path);
        return undefined;
      }),
    reserve: reserveFolder,
  };
}

const lockName = '.parley-download';
/** How long a process may take from creating a lock to writing its id. */
const maxWriteMs = 10_000;
/** The locks of this process. Another lock with this process's id is left by a killed Parley: a container soon reuses ids. */
const ownLocks = new Set<string>();

async function reserveFolder(folder: string): Promise<Outcome<() => Promise<void>>> {
  const path = join(folder, lockName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let attempt = 1; !(await createLock(path)); attempt += 1) {
      if (attempt > 2 || !(await isAbandoned(path))) return failure('modelFolderBusy', { folder });
      await rm(path, { force: true });
    }
  } catch (error) {
    return fileFailure(folder, error);
  }
  ownLocks.add(path);
  return {
    ok: true,
    value: async () => {
      ownLocks.delete(path);
      await rm(path, { force: true });
      await removeIfEmpty(folder);
    },
  };
}

async function createLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  if (ownLocks.has(path)) return false;
  const pid = Number(await readFile(path, 'utf8'));
  const { mtimeMs } = await stat(path);
  // Another process has created the file and is about to write its id.
  if (pid === 0 && Date.now() - mtimeMs < maxWriteMs) return false;
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid || !isRunning(pid)) return true;
  return isFromBeforeBoot(mtimeMs);
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

const defaultIdleMs = 30_000;
/** A mirror may redirect to its content network, and that to a host of the region. */
const maxRedirects = 5;

/** Downloads the model's files into `<file>.part`, and renames a file when its checksum is right. */
export function createModelDownload(
  proxies: Proxies | undefined,
  idleMs = defaultIdleMs,
): FetchModelFile {
  return (request) => {
    const { folder, file, mirror, onBytes } = request;
    const path = join(folder, file.path);
    const partial = partialPath(path);
    return startJob(async (signal) => {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const isIntact = await downloadResumably({
          request: (from) =>
            openDownload({
              url: new URL(file.path, mirror.base),
              proxies,
              signal,
              idleMs,
              from,
              maxRedirects,
            }),
          path: partial,
          size: file.bytes,
          digest: { algorithm: 'sha256', encoding: 'hex', expected: file.sha256 },
          onBytes,
          signal,
        });
        if (!isIntact) return { ok: false, error: alteredError(request) };
        await renameFile(partial, path);
        return { ok: true, value: undefined };
      } catch (error) {
        return error instanceof DownloadError
          ? { ok: false, error: toMirrorError(error.fault, request) }
          : fileFailure(path, error);
      }
    });
  };
}

function toMirrorError(fault: DownloadFault, request: ModelFileRequest): AppError {
  const { host } = request.mirror;
  switch (fault.kind) {
    case 'proxy':
      return fault.error;
    case 'slow':
      return appError('modelMirrorSlow', { host });
    case 'redirected':
      return appError('modelMirrorRedirects', { host });
    case 'refused':
      return appError('modelMirrorRefuses', { host, status: fault.status });
    case 'untrusted':
      return appError('modelMirrorUntrusted', { host }, { detail: fault.detail });
    case 'away':
    case 'cutShort':
      return appError('modelMirrorAway', { host }, { detail: fault.detail });
    case 'otherSize':
      return alteredError(request);
  }
}

function alteredError({ file, mirror: { host } }: ModelFileRequest): AppError {
  return appError('modelMirrorAlters', { host, name: file.path });
}

/** A path without a drive, a root or a parent, so that every file stays in the model's folder. */
const plainPath = /^(?!.*\.\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u;

const catalogueRule = z.object({
  revision: z.string().regex(/^[\w-]{1,64}$/u),
  files: z
    .array(
      z.object({
        path: z.string().regex(plainPath),
        bytes: z.int().min(1),
        sha256: z.string().regex(/^[0-9a-f]{64}$/u),
      }),
    )
    .min(1),
  mirrors: z.array(z.object({ id: z.string(), base: z.url().endsWith('/') })).min(1),
});

/**
 * Reads the list of files to download. `PARLEY_MODEL_CATALOGUE` names a JSON file with another list, for a mirror in a
 * local network and for tests. Mirrors use https, or http on this computer. An invalid file is reported and ignored.
 */
export function readModelCatalogue(onInvalid: (reason: string) => void): ModelCatalogue {
  const path = process.env['PARLEY_MODEL_CATALOGUE'] ?? '';
  if (path === '') return modelCatalogue;
  try {
    const { mirrors, ...others } = catalogueRule.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { ...others, mirrors: mirrors.map(({ id, base }) => readMirror(id, new URL(base))) };
  } catch (error) {
    onInvalid(
      `${path} is not a model catalogue, so the built-in one is used: ${describeError(error)}`,
    );
    return modelCatalogue;
  }
}

function readMirror(id: string, base: URL): ModelMirror {
  if (base.protocol !== 'https:' && !isPlainAllowed(base))
    throw new Error('the address of a mirror must use https');
  return { id, host: base.host, base: base.href };
}
