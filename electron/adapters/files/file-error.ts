import { describeError } from '../../../shared/describe-error.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import type { Failure } from '../../../shared/errors/app-error.ts';

const codes = {
  ENOENT: 'fileGone',
  ENOTDIR: 'notFolder',
  EEXIST: 'notFolder',
  EISDIR: 'isFolder',
  EACCES: 'noPermission',
  EPERM: 'noPermission',
  EROFS: 'readOnly',
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EMFILE: 'tooManyOpen',
  ENAMETOOLONG: 'pathTooLong',
  EFBIG: 'fileTooLarge',
} as const;

/** What the system's refusal of a file means. */
export function fileFailure(path: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isKnown(code)
    ? failure(codes[code], { path })
    : failure('fileUnusable', { path, error: describeError(error) });
}

function isKnown(code: string): code is keyof typeof codes {
  return Object.hasOwn(codes, code);
}
