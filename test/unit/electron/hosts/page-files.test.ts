import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PageFiles } from '../../../../electron/hosts/page-files.ts';
import type { FirstSteps } from '../../../../shared/first-steps.ts';

const root = resolve(import.meta.dirname, '../../../..');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
});

afterEach(() => rm(folder, { recursive: true }));

it('the page is told, at each load, whether the first steps are due', async () => {
  let steps: FirstSteps = 'due';
  const files = await PageFiles.in(join(root, 'renderer'), () => steps);
  const page = async (path: string) => Buffer.from((await files.read(path))?.body ?? []).toString();
  expect(await page('/')).toContain('<meta name="parley-first-steps" content="due" />');
  steps = 'done';
  expect(await page('/index.html')).toContain('<meta name="parley-first-steps" content="done" />');
});

it('every other file is what it is, and nobody is asked', async () => {
  const text = 'name="parley-first-steps" content="unknown"';
  await writeFile(join(folder, 'other.html'), text);
  const files = await PageFiles.in(folder, () => {
    throw new Error('asked');
  });
  expect(Buffer.from((await files.read('/other.html'))?.body ?? []).toString()).toBe(text);
});
