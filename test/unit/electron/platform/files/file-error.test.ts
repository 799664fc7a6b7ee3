import { describe, expect, it } from 'vitest';
import { fileFailure } from '../../../../../electron/platform/files/atomic-files.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';

const failing = (code: string) => Object.assign(new Error('some words'), { code });

describe('a file error', () => {
  it.each([
    ['ENOENT', 'fileGone'],
    ['EISDIR', 'isFolder'],
    ['EEXIST', 'notFolder'],
    ['EACCES', 'noPermission'],
    ['ENOSPC', 'diskFull'],
    ['EROFS', 'readOnly'],
  ] as const)('is translated from %s to %s', (code, known) => {
    expect(fileFailure('a/b', failing(code))).toEqual(failure(known, { path: 'a/b' }));
  });

  it.each([
    [failing('EWHATEVER'), 'some words'],
    ['oops', 'oops'],
  ])('has the text of the unknown error %j', (thrown, error) => {
    expect(fileFailure('a/b', thrown)).toEqual(failure('fileUnusable', { path: 'a/b', error }));
  });
});
