import { describe, expect, it } from 'vitest';
import { renameFile } from '../../../../../electron/adapters/files/rename-file.ts';

/** A system whose rename is refused with this code so many times. */
function refusing(platform: string, code: string, times: number) {
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

describe('renaming a file', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', async (code) => {
    const system = refusing('win32', code, 3);
    await renameFile('a', 'b', system);
    expect(system.tries).toEqual(['a b', 'a b', 'a b', 'a b']);
    expect(system.pauses).toEqual([33, 66, 132]);
  });

  it('is given up there after a second, with the reason', async () => {
    const system = refusing('win32', 'EBUSY', 100);
    await expect(renameFile('a', 'b', system)).rejects.toThrow('EBUSY');
    expect(system.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  });

  it.each([
    ['win32', 'ENOENT'],
    ['linux', 'EPERM'],
    ['darwin', 'EBUSY'],
  ])('is tried once on %s after %s', async (platform, code) => {
    const system = refusing(platform, code, 1);
    await expect(renameFile('a', 'b', system)).rejects.toThrow(code);
    expect(system.tries).toHaveLength(1);
  });
});
