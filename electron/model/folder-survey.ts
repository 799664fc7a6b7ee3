import { type AppError, appError } from '../../shared/errors/app-error.ts';
import { modelReserveBytes } from '../../shared/model/local-model.ts';
import type { ModelCatalogue, ModelFile } from './model-catalogue.ts';
import type { ModelDisk } from './model-disk.ts';
import type { VerifiedFiles } from './verified-files.ts';

/** Limit on the names in an error, because a folder without the model lacks all ten files. */
const maxNames = 3;

export interface SurveyedFile {
  readonly file: ModelFile;
  readonly kind: 'verified' | 'unverified' | 'otherSize' | 'missing';
  /** Bytes that need not be downloaded. */
  readonly bytes: number;
}

/** Compares names, sizes and times, without reading a file. */
export function surveyFolder(
  { catalogue, disk }: { readonly catalogue: ModelCatalogue; readonly disk: ModelDisk },
  verified: VerifiedFiles,
  folder: string,
): Promise<readonly SurveyedFile[]> {
  return Promise.all(
    catalogue.files.map(async (file): Promise<SurveyedFile> => {
      const found = await disk.find(folder, file.path);
      if (found === undefined) {
        const bytes = await disk.partialBytes(folder, file.path);
        return { file, kind: 'missing', bytes: Math.min(bytes, file.bytes) };
      }
      if (found.bytes !== file.bytes) return { file, kind: 'otherSize', bytes: 0 };
      const isVerified = verified.isVerified(folder, file, found);
      return { file, kind: isVerified ? 'verified' : 'unverified', bytes: file.bytes };
    }),
  );
}

/** The error of a folder with missing files or files of another size. */
export function findIncomplete(
  folder: string,
  surveyed: readonly SurveyedFile[],
): AppError | undefined {
  const missing = surveyed.filter(({ kind }) => kind === 'missing').map(({ file }) => file.path);
  if (missing.length > 0) {
    const names = missing.slice(0, maxNames).join(', ');
    return appError('modelFilesMissing', {
      folder,
      names: missing.length > maxNames ? `${names}, …` : names,
    });
  }
  const other = surveyed.find(({ kind }) => kind === 'otherSize');
  return other && appError('modelFileSize', { folder, name: other.file.path });
}

/** The error if the disk has no room for the remaining bytes and the reserve. */
export async function findShortage(
  disk: ModelDisk,
  folder: string,
  remaining: number,
): Promise<AppError | undefined> {
  const free = await disk.freeSpace(folder);
  const needed = remaining + modelReserveBytes;
  // Some network folders do not report free space; there, the download fails once the disk is full.
  if (remaining === 0 || !free.ok || free.value >= needed) return undefined;
  return appError('modelSpace', {
    folder,
    neededGb: formatGb(needed, Math.ceil),
    freeGb: formatGb(free.value, Math.floor),
  });
}

export async function fullDiskError(
  disk: ModelDisk,
  folder: string,
  remaining: number,
): Promise<AppError> {
  const free = await disk.freeSpace(folder);
  const needed = remaining + modelReserveBytes - (free.ok ? free.value : 0);
  // A quota can be used up although the disk has room.
  const neededGb = formatGb(needed > 0 ? needed : remaining, Math.ceil);
  return appError('modelDiskFull', { folder, neededGb });
}

function formatGb(bytes: number, round: (value: number) => number): string {
  return (round(bytes / 1e8) / 10).toFixed(1);
}
