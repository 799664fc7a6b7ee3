import { describe, expect, it } from 'vitest';
import { renameFile, renameFileSync } from '../../../../../electron/platform/files/atomic-files.ts';

/** A system that refuses a rename this many times. */
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

describe('renameFile', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('retries on Windows after %s', async (code) => {
    const system = refusing('win32', code, 3);
    await renameFile('a', 'b', system);
    expect(system.tries).toEqual(['a b', 'a b', 'a b', 'a b']);
    expect(system.pauses).toEqual([33, 66, 132]);
  });

  it('gives up on Windows after a second, with the reason', async () => {
    const system = refusing('win32', 'EBUSY', 100);
    await expect(renameFile('a', 'b', system)).rejects.toThrow('EBUSY');
    expect(system.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  });

  it.each([
    ['win32', 'ENOENT'],
    ['linux', 'EPERM'],
    ['darwin', 'EBUSY'],
  ])('tries once on %s after %s', async (platform, code) => {
    const system = refusing(platform, code, 1);
    await expect(renameFile('a', 'b', system)).rejects.toThrow(code);
    expect(system.tries).toHaveLength(1);
  });
});

describe('renameFileSync', () => {
  const atStart = (platform: string, code: string, times: number) => {
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

  it('retries on Windows for a second', () => {
    const held = atStart('win32', 'EBUSY', 3);
    renameFileSync('a', 'b', held);
    expect(held.pauses).toEqual([33, 66, 132]);
    const stuck = atStart('win32', 'EPERM', 100);
    expect(() => {
      renameFileSync('a', 'b', stuck);
    }).toThrow('EPERM');
    expect(stuck.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  });

  it('tries once on other systems', () => {
    const system = atStart('linux', 'EPERM', 1);
    expect(() => {
      renameFileSync('a', 'b', system);
    }).toThrow('EPERM');
    expect(system.pauses).toEqual([]);
  });
});
