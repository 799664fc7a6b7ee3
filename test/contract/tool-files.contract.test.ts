import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSharedFiles, readPlainFile } from '../../electron/platform/tools/shared-files.ts';
import { done, failure } from '../../shared/errors/app-error.ts';

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

const at = (name: string): string => join(root, name);
const picked = () => createSharedFiles(() => [shared]);

describe('the tool for picked files', () => {
  it('reads and lists what was picked', async () => {
    expect(await picked().readText(join(shared, 'note.txt'), 1000)).toEqual({
      ok: true,
      value: 'the lighthouse',
    });
    expect(await picked().list(shared, 10)).toEqual({ ok: true, value: ['inner/', 'note.txt'] });
    expect(await picked().list(shared, 1)).toMatchObject({ value: { length: 1 } });
  });

  it('refuses paths outside, even through links and dots', async () => {
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

  it('reads a picked file, but does not list its folder', async () => {
    const files = createSharedFiles(() => [join(shared, 'note.txt')]);
    expect(await files.readText(join(shared, 'note.txt'), 1000)).toMatchObject({ ok: true });
    expect(await files.list(shared, 10)).toMatchObject({ ok: false });
  });

  it('truncates a long file, and refuses files that are not text', async () => {
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

const read = (name: string) => readPlainFile(at(name), 1000);

it('a configuration file is read without its byte-order mark', async () => {
  writeFileSync(at('mcp.json'), '\ufeff{"mcpServers": {}}');
  expect(await read('mcp.json')).toEqual({ ok: true, value: '{"mcpServers": {}}' });
});

it('a missing configuration file is not an error', async () => {
  writeFileSync(at('mcp.json'), '{}');
  expect(await read('none.json')).toEqual(done);
  expect(await read('mcp.json/none.json')).toEqual(done);
});

it('a link to a configuration file is refused, even a dangling one', async () => {
  writeFileSync(at('key'), 'secret');
  symlinkSync(at('key'), at('link'));
  symlinkSync(at('nowhere'), at('dangling'));
  for (const name of ['link', 'dangling'])
    expect(await read(name)).toMatchObject({ ok: false, error: { code: 'toolFileLink' } });
});

it('a folder, pipe, large or binary file is refused as configuration', async () => {
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  writeFileSync(at('large'), 'x'.repeat(1001));
  writeFileSync(at('binary'), Uint8Array.of(123, 0, 125));
  const codes = await Promise.all(
    ['folder', 'pipe', 'large', 'binary'].map(async (name) => {
      const result = await read(name);
      return result.ok ? undefined : result.error.code;
    }),
  );
  expect(codes).toEqual(['toolNotText', 'toolNotText', 'toolFileLarge', 'toolNotText']);
});
