import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PageFiles } from '../../../../electron/hosts/page-files.ts';
import type { FirstState } from '../../../../shared/app/program.ts';
import { redactSettings } from '../../../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const root = resolve(import.meta.dirname, '../../../..');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
});

afterEach(() => rm(folder, { recursive: true }));

it('the page contains the newest first state each time that it is read', async () => {
  let state: FirstState = { firstSteps: 'due' };
  const files = await PageFiles.in(join(root, 'renderer'), () => state);
  const page = async (path: string) => Buffer.from((await files.read(path))?.body ?? []).toString();
  const meta = (content: string) => `<meta name="parley-first-state" content="${content}" />`;
  expect(await page('/')).toContain(meta('{&quot;firstSteps&quot;:&quot;due&quot;}'));
  state = { firstSteps: 'done' };
  expect(await page('/index.html')).toContain(meta('{&quot;firstSteps&quot;:&quot;done&quot;}'));
});

it('the first state is escaped in the page', async () => {
  const name = `"><script>alert('&quot;$&')</script>`;
  const settings = redactSettings(defaultSettings);
  const [server] = settings.endpoints.list;
  if (server === undefined) throw new Error('The settings have no server.');
  const endpoints = { ...settings.endpoints, list: [{ ...server, name }] };
  const state: FirstState = { firstSteps: 'done', settings: { ...settings, endpoints } };
  const files = await PageFiles.in(join(root, 'renderer'), () => state);
  const html = Buffer.from((await files.read('/'))?.body ?? []).toString();
  expect(html).not.toContain('<script>alert');
  const content = /name="parley-first-state" content="([^"<]*)" \/>/u.exec(html)?.[1] ?? '';
  const plain = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  expect(JSON.parse(plain)).toEqual(state);
});

it('other files are served unchanged', async () => {
  const text = 'name="parley-first-state" content="unknown"';
  await writeFile(join(folder, 'other.html'), text);
  const files = await PageFiles.in(folder, () => {
    throw new Error('asked');
  });
  expect(Buffer.from((await files.read('/other.html'))?.body ?? []).toString()).toBe(text);
});
