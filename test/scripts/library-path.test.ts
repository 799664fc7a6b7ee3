import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookBesideItself } from '../../scripts/lib/library-path.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-library-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the search path of the audio binding', () => {
  it('leads away from where it was built, and to its own folder afterwards', (context) => {
    if (process.platform !== 'linux') context.skip('only Linux addons carry a search path');
    // As npm links naudiodon's; a package may have been made of that one already.
    const addon = join(folder, 'naudiodon.node');
    const words = ['-shared', '-o', addon, `-Wl,-rpath,${folder}/build/Release`];
    const { status, error } = spawnSync('cc', [...words, '-x', 'c', '/dev/null']);
    if (status !== 0) context.skip(`nothing can be linked here: ${error?.message ?? status}`);
    const before = statSync(addon).size;
    expect(lookBesideItself(addon)).toBe(`${folder}/build/Release`);
    expect(lookBesideItself(addon)).toBe('$ORIGIN');
    expect(statSync(addon).size).toBe(before);
  });

  it('is not looked for in what is no such file', () => {
    const other = join(folder, 'other.node');
    writeFileSync(other, 'MZ');
    expect(() => lookBesideItself(other)).toThrow(/is no 64-bit ELF file$/);
  });
});
