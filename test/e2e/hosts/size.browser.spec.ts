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
