import { describeError } from '../describe-error.ts';

/** What the system's refusal of a file means, as a sentence with the path in it. */
export function fileProblem(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return sentences[code]?.(path) ?? `${path} cannot be used: ${describeError(error)}.`;
}

const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}.`,
  ENOTDIR: (path) => `There is no ${path}: a part of that path is a file and not a folder.`,
  EISDIR: isFolder,
  EEXIST: (path) => `${path} is a file and not a folder.`,
  EACCES: (path) => `There is no permission to use ${path}.`,
  EPERM: (path) => `There is no permission to use ${path}.`,
  EROFS: (path) => `${path} cannot be written: its disk is read-only.`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full.`,
  EDQUOT: (path) => `${path} cannot be written: the disk is full.`,
  EMFILE: (path) => `${path} cannot be opened: too many files are open.`,
  ENAMETOOLONG: (path) => `${path} cannot be used: the name is too long.`,
};

export function isFolder(path: string): string {
  return `${path} is a folder and not a file.`;
}
