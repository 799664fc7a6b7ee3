import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setOriginLibraryPath } from '../../scripts/package/elf-file.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-library-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the search path of the audio binding', () => {
  it('changes from the build folder to the addon’s own folder', (context) => {
    if (process.platform !== 'linux') context.skip('only Linux addons carry a search path');
    // Linked as npm links naudiodon; a package may already contain the corrected one.
    const addon = join(folder, 'naudiodon.node');
    const args = ['-shared', '-o', addon, `-Wl,-rpath,${folder}/build/Release`];
    const { status, error } = spawnSync('cc', [...args, '-x', 'c', '/dev/null']);
    if (status !== 0) context.skip(`nothing can be linked here: ${error?.message ?? status}`);
    const before = statSync(addon).size;
    expect(setOriginLibraryPath(addon)).toBe(`${folder}/build/Release`);
    expect(setOriginLibraryPath(addon)).toBe('$ORIGIN');
    expect(statSync(addon).size).toBe(before);
  });

  it('is an error in a file of another format', () => {
    const other = join(folder, 'other.node');
    writeFileSync(other, 'MZ');
    expect(() => setOriginLibraryPath(other)).toThrow(/is not a 64-bit ELF file$/);
  });
});
