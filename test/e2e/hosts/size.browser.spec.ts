import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';

const assets = resolve(import.meta.dirname, '../../../out/renderer/assets');

test('the page loads less than 350 KB of script, compressed', async () => {
  const page = await readFile(join(assets, '../index.html'), 'utf8');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const initial = names.filter((name) => page.includes(name));
  expect(initial.length).toBeGreaterThan(0);
  const sizes = await Promise.all(
    initial.map(async (name) => gzipSync(await readFile(join(assets, name))).length),
  );
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1024;
  test.info().annotations.push({
    type: 'measured',
    description: `initial script: ${kilobytes.toFixed(0)} KB compressed`,
  });
  expect(kilobytes).toBeLessThan(350);
});

test('the page of the small window never loads the script of the main window', async () => {
  const nameIn = (text: string): readonly string[] => text.match(/[\w-]+\.js(?=["'`])/g) ?? [];
  const entryOf = async (page: string): Promise<string> => {
    const html = await readFile(join(assets, '..', page), 'utf8');
    return /<script [^>]*src="\.\/assets\/([^"]+)"/.exec(html)?.[1] ?? '';
  };
  const loaded = new Set([await entryOf('small.html')]);
  for (const name of loaded)
    for (const next of nameIn(await readFile(join(assets, name), 'utf8'))) loaded.add(next);
  expect(loaded.size).toBeGreaterThan(2);
  expect(loaded).not.toContain(await entryOf('index.html'));
});
