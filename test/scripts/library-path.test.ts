import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookBesideItself } from '../../scripts/lib/library-path.mjs';

const binding = resolve(
  import.meta.dirname,
  '../../node_modules/naudiodon/build/Release/naudiodon.node',
);

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
    const copy = join(folder, 'naudiodon.node');
    copyFileSync(binding, copy);
    expect(lookBesideItself(copy)).toMatch(/^\/.*naudiodon\/build\/Release$/);
    expect(lookBesideItself(copy)).toBe('$ORIGIN');
    expect(readFileSync(copy)).toHaveLength(readFileSync(binding).length);
  });

  it('is not looked for in what is no such file', () => {
    const other = join(folder, 'other.node');
    writeFileSync(other, 'MZ');
    expect(() => lookBesideItself(other)).toThrow(/is no 64-bit ELF file$/);
  });
});
