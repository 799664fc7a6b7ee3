import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPickedFiles } from '../../electron/platform/tools/picked-files.ts';
import { failure } from '../../shared/errors/app-error.ts';

let root = '';
let shared = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-picked-'));
  shared = join(root, 'shared');
  mkdirSync(join(shared, 'inner'), { recursive: true });
  writeFileSync(join(shared, 'note.txt'), 'the lighthouse');
  writeFileSync(join(root, 'key'), 'secret');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const picked = () => createPickedFiles(() => [shared]);

describe('picked files', () => {
  it('reads and lists what was picked', async () => {
    expect(await picked().readText(join(shared, 'note.txt'), 1000)).toEqual({
      ok: true,
      value: 'the lighthouse',
    });
    expect(await picked().list(shared, 10)).toEqual({ ok: true, value: ['inner/', 'note.txt'] });
    expect(await picked().list(shared, 1)).toMatchObject({ value: { length: 1 } });
  });

  it('refuses what is outside, also by links and dots', async () => {
    symlinkSync(join(root, 'key'), join(shared, 'link'));
    symlinkSync(root, join(shared, 'up'));
    const paths = [
      join(root, 'key'),
      `${shared}/../key`,
      join(shared, 'link'),
      join(shared, 'up', 'key'),
      'note.txt',
      join(shared, 'missing'),
      `${shared}-other`,
      '/etc/passwd',
    ];
    for (const path of paths)
      expect(await picked().readText(path, 1000)).toEqual(failure('toolPathOutside', { path }));
    expect(await picked().list(join(shared, 'up'), 10)).toMatchObject({ ok: false });
  });

  it('reads a picked file and nothing beside it', async () => {
    const files = createPickedFiles(() => [join(shared, 'note.txt')]);
    expect(await files.readText(join(shared, 'note.txt'), 1000)).toMatchObject({ ok: true });
    expect(await files.list(shared, 10)).toMatchObject({ ok: false });
  });

  it('cuts a long file and refuses what is no text', async () => {
    writeFileSync(join(shared, 'long'), 'a'.repeat(5000));
    writeFileSync(join(shared, 'binary'), Buffer.from([1, 0, 2]));
    execFileSync('mkfifo', [join(shared, 'pipe')]);
    expect(await picked().readText(join(shared, 'long'), 10)).toEqual({
      ok: true,
      value: `${'a'.repeat(10)}\n[…]`,
    });
    for (const name of ['binary', 'pipe', 'inner']) {
      const path = join(shared, name);
      expect(await picked().readText(path, 10)).toEqual(failure('toolNotText', { path }));
    }
  });
});
