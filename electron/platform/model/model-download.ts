import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { FetchModelFile, ModelFileRequest } from '../../model/model-disk.ts';
import { fileFailure, renameFile } from '../files/atomic-files.ts';
import { DownloadError, type DownloadFault, openDownload } from '../net/download-request.ts';
import { downloadResumably } from '../net/resumable-download.ts';
import { partialPath, startJob } from './model-folder.ts';

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
