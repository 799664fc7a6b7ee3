import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readPlainFile } from '../../electron/platform/tools/picked-files.ts';
import { workFolder } from '../fakes/work-folder.ts';

let folder: string;

beforeEach(() => {
  folder = workFolder()('files');
  mkdirSync(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);
const read = (name: string) => readPlainFile(at(name), 1000);

it('a text file is read', async () => {
  writeFileSync(at('mcp.json'), '\ufeff{"mcpServers": {}}');
  expect(await read('mcp.json')).toEqual({ ok: true, value: '{"mcpServers": {}}' });
});

it('a file that is not there is no error', async () => {
  writeFileSync(at('mcp.json'), '{}');
  expect(await read('none.json')).toEqual({ ok: true, value: undefined });
  expect(await read('mcp.json/none.json')).toEqual({ ok: true, value: undefined });
});

it('a link is refused, wherever it leads', async () => {
  writeFileSync(at('key'), 'secret');
  symlinkSync(at('key'), at('link'));
  symlinkSync(at('nowhere'), at('dangling'));
  for (const name of ['link', 'dangling'])
    expect(await read(name)).toMatchObject({ ok: false, error: { code: 'toolFileLink' } });
});

it('a folder, a pipe, a large file and a binary file are refused at once', async () => {
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
