import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  fileFailure,
  renameFile,
  renameFileSync,
} from '../../../../../electron/platform/files/atomic-files.ts';
import { appError, type AppError, failure } from '../../../../../shared/errors/app-error.ts';
import { createFileWriter } from '../../../../../electron/platform/files/file-storage.ts';
import { stateFolder } from '../../../../../electron/platform/files/state-folder.ts';

const errorWith = (code: string) => Object.assign(new Error('some words'), { code });

describe('fileFailure', () => {
  it.each([
    ['ENOENT', 'fileGone'],
    ['EISDIR', 'isFolder'],
    ['EEXIST', 'notFolder'],
    ['EACCES', 'noPermission'],
    ['ENOSPC', 'diskFull'],
    ['EROFS', 'readOnly'],
  ] as const)('translates %s to %s', (code, known) => {
    expect(fileFailure('a/b', errorWith(code))).toEqual(failure(known, { path: 'a/b' }));
  });

  it.each([
    [errorWith('EWHATEVER'), 'some words'],
    ['oops', 'oops'],
  ])('keeps the text of an unknown error: %j', (thrown, error) => {
    expect(fileFailure('a/b', thrown)).toEqual(failure('fileUnusable', { path: 'a/b', error }));
  });
});

/** A system that refuses a rename this many times. */
function refusingSystem(platform: string, code: string, times: number) {
  const tries: string[] = [];
  const pauses: number[] = [];
  return {
    tries,
    pauses,
    platform,
    rename: (from: string, to: string): Promise<void> => {
      tries.push(`${from} ${to}`);
      return tries.length > times
        ? Promise.resolve()
        : Promise.reject(Object.assign(new Error(code), { code }));
    },
    wait: (milliseconds: number): Promise<void> => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  };
}

describe('renameFile', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('retries on Windows after %s', async (code) => {
    const system = refusingSystem('win32', code, 3);
    await renameFile('a', 'b', system);
    expect(system.tries).toEqual(['a b', 'a b', 'a b', 'a b']);
    expect(system.pauses).toEqual([33, 66, 132]);
  });

  it('gives up on Windows after a second, with the reason', async () => {
    const system = refusingSystem('win32', 'EBUSY', 100);
    await expect(renameFile('a', 'b', system)).rejects.toThrow('EBUSY');
    expect(system.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  });

  it.each([
    ['win32', 'ENOENT'],
    ['linux', 'EPERM'],
    ['darwin', 'EBUSY'],
  ])('tries once on %s after %s', async (platform, code) => {
    const system = refusingSystem(platform, code, 1);
    await expect(renameFile('a', 'b', system)).rejects.toThrow(code);
    expect(system.tries).toHaveLength(1);
  });
});

describe('renameFileSync', () => {
  const refusingSystemSync = (platform: string, code: string, times: number) => {
    let tries = 0;
    const pauses: number[] = [];
    return {
      pauses,
      platform,
      rename: () => {
        tries += 1;
        if (tries <= times) throw Object.assign(new Error(code), { code });
      },
      wait: (milliseconds: number) => void pauses.push(milliseconds),
    };
  };

  it('retries on Windows, and gives up after a second', () => {
    const brief = refusingSystemSync('win32', 'EBUSY', 3);
    renameFileSync('a', 'b', brief);
    expect(brief.pauses).toEqual([33, 66, 132]);
    const lasting = refusingSystemSync('win32', 'EPERM', 100);
    expect(() => {
      renameFileSync('a', 'b', lasting);
    }).toThrow('EPERM');
    expect(lasting.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  });

  it('tries once on other systems', () => {
    const system = refusingSystemSync('linux', 'EPERM', 1);
    expect(() => {
      renameFileSync('a', 'b', system);
    }).toThrow('EPERM');
    expect(system.pauses).toEqual([]);
  });
});

/** A disk that accepts three bytes at a time, and whose first writes are the slowest. */
function slowDisk() {
  const file: number[] = [];
  let turns = 8;
  const write = async (bytes: Uint8Array, from: number, length: number, position: number) => {
    turns /= 2;
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    const taken = bytes.subarray(from, from + Math.min(3, length));
    for (const [index, byte] of taken.entries()) file[position + index] = byte;
    return { bytesWritten: taken.length };
  };
  const handle = { write, close: () => Promise.resolve() } as unknown as FileHandle;
  return { file, handle };
}

describe('createFileWriter', () => {
  it('writes in order, even if earlier writes take longer', async () => {
    const { file, handle } = slowDisk();
    const writer = createFileWriter('a', handle);
    writer.append(new Uint8Array([1, 2, 3, 4, 5, 6, 7]));
    writer.writeAt(0, new Uint8Array([9]));
    writer.append(new Uint8Array([8]));
    await writer.close();
    expect(file).toEqual([9, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('stops at its size limit, keeps what is written, and reports the limit once', async () => {
    const { file, handle } = slowDisk();
    const errors: AppError[] = [];
    const writer = createFileWriter('a', handle, (error) => errors.push(error), 4);
    writer.append(new Uint8Array([1, 2, 3]));
    writer.append(new Uint8Array([4, 5]));
    writer.append(new Uint8Array([6]));
    const error = appError('fileFull', { path: 'a', limit: '0 MB' });
    expect(await writer.close()).toEqual({ ok: false, error });
    expect([file, errors]).toEqual([[1, 2, 3], [error]]);
  });
});

describe('the state folder', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, '/home/a/.local/state/parley'],
    ['linux', { XDG_STATE_HOME: '/x/state' }, '/x/state/parley'],
    ['linux', { XDG_STATE_HOME: 'not/absolute' }, '/home/a/.local/state/parley'],
    ['linux', { XDG_STATE_HOME: '' }, '/home/a/.local/state/parley'],
    ['darwin', { XDG_STATE_HOME: '/x' }, '/home/a/Library/Application Support/Parley'],
    ['win32', { LOCALAPPDATA: String.raw`C:\Local` }, String.raw`C:\Local\Parley`],
    ['win32', {}, String.raw`\home\a\AppData\Local\Parley`],
    ['linux', { PARLEY_STATE_DIR: '/t' }, '/t'],
    ['win32', { PARLEY_STATE_DIR: '/t' }, '/t'],
  ])('on %s with %j is %s', (platform, env, expected) => {
    expect(stateFolder(env, platform, '/home/a')).toBe(expected);
  });
});
