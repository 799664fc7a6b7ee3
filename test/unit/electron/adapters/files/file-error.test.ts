import { describe, expect, it } from 'vitest';
import { fileErrorMessage } from '../../../../../electron/adapters/files/file-error.ts';

const failing = (code: string) => Object.assign(new Error('some words'), { code });

describe('the problem of a file', () => {
  it.each([
    ['ENOENT', 'There is no a/b.'],
    ['EISDIR', 'a/b is a folder and not a file.'],
    ['EEXIST', 'a/b is a file and not a folder.'],
    ['EACCES', 'There is no permission to use a/b.'],
    ['ENOSPC', 'a/b cannot be written: the disk is full.'],
    ['EROFS', 'a/b cannot be written: its disk is read-only.'],
    ['EWHATEVER', 'a/b cannot be used: some words.'],
  ])('%s', (code, sentence) => {
    expect(fileErrorMessage('a/b', failing(code))).toBe(sentence);
  });

  it('is a sentence even where no error was thrown', () => {
    expect(fileErrorMessage('a/b', 'oops')).toBe('a/b cannot be used: oops.');
  });
});
