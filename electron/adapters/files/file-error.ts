import type { fileWhys } from '../../../shared/why-codes.ts';
import type { OneWhy } from '../../../shared/why.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { Failure } from '../../ports/outcome.ts';

/** What the system's refusal of a file means, as a sentence with the path in it. */
export function fileErrorMessage(path: string, error: unknown): string {
  const sentence = known[codeOf(error)]?.say(path);
  return sentence ?? `${path} cannot be used: ${describeError(error)}.`;
}

/** The same for files of Parley's own, of which pages are told in their language. */
export function fileFailure(path: string, error: unknown): Failure {
  const is = known[codeOf(error)]?.is;
  const why: OneWhy =
    is === undefined ? { is: 'fileUnusable', path, error: describeError(error) } : { is, path };
  return { ok: false, problem: fileErrorMessage(path, error), why };
}

interface Known {
  readonly is: Exclude<keyof typeof fileWhys, 'fileUnusable' | 'fileTooLarge'>;
  readonly say: (path: string) => string;
}

const noPermission: Known = {
  is: 'noPermission',
  say: (path) => `There is no permission to use ${path}.`,
};

const diskFull: Known = {
  is: 'diskFull',
  say: (path) => `${path} cannot be written: the disk is full.`,
};

const known: Readonly<Record<string, Known>> = {
  ENOENT: { is: 'fileGone', say: (path) => `There is no ${path}.` },
  ENOTDIR: {
    is: 'notFolder',
    say: (path) => `There is no ${path}: a part of that path is a file and not a folder.`,
  },
  EISDIR: { is: 'isFolder', say: isFolderMessage },
  EEXIST: { is: 'notFolder', say: (path) => `${path} is a file and not a folder.` },
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: { is: 'readOnly', say: (path) => `${path} cannot be written: its disk is read-only.` },
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EMFILE: {
    is: 'tooManyOpen',
    say: (path) => `${path} cannot be opened: too many files are open.`,
  },
  ENAMETOOLONG: {
    is: 'pathTooLong',
    say: (path) => `${path} cannot be used: the name is too long.`,
  },
};

export function isFolderMessage(path: string): string {
  return `${path} is a folder and not a file.`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
