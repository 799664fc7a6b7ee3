import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PageFiles } from '../../../../electron/hosts/page-files.ts';
import { redactSettings, defaultSettings } from '../../../../shared/settings/settings.ts';
import { PageDownloads } from '../../../../electron/hosts/browser/page-downloads.ts';
import { createPageListener, isLoopback } from '../../../../electron/hosts/browser/page-server.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { readBrowserOptions } from '../../../../electron/hosts/browser/browser-host.ts';
import type { FirstState } from '../../../../shared/app/program.ts';

describe('the first state', () => {
  const root = resolve(import.meta.dirname, '../../../..');
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('is up to date each time the page is read', async () => {
    let state: FirstState = { firstSteps: 'due' };
    const files = await PageFiles.in(join(root, 'renderer'), () => state);
    const page = async (path: string) =>
      Buffer.from((await files.read(path))?.body ?? []).toString();
    const meta = (content: string) => `<meta name="parley-first-state" content="${content}" />`;
    expect(await page('/')).toContain(meta('{&quot;firstSteps&quot;:&quot;due&quot;}'));
    state = { firstSteps: 'done' };
    expect(await page('/index.html')).toContain(meta('{&quot;firstSteps&quot;:&quot;done&quot;}'));
  });

  it('is escaped in the page', async () => {
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
    const plain = content
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(plain)).toEqual(state);
  });
});

describe('a download of the page', () => {
  let close: () => Promise<void> = () => Promise.resolve();
  afterEach(() => close());

  /** Offers a file of a temporary folder for download by the page's server. */
  async function offerFile(waitMs?: number, refused = false) {
    const at = workFolder();
    mkdirSync(at('one'));
    writeFileSync(at('one/talk.md'), 'Green tea');
    const downloads = new PageDownloads(waitMs);
    const pages = { read: () => Promise.resolve(undefined) };
    const refusal = { status: 403, reason: 'no' } as const;
    const listener = createPageListener(pages, () => (refused ? refusal : undefined), downloads);
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    close = () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
    const { port } = server.address() as AddressInfo;
    const { saveMethod } = downloads;
    if (saveMethod.kind !== 'download') throw new Error('It is not a download.');
    const href = saveMethod.offer(at('one/talk.md'), 'Grüner Tee.md');
    const ask = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { connection: 'close' } });
    return { at, downloads, href, ask };
  }

  it('is served once, under its name, and then deleted', async () => {
    const { at, href, ask } = await offerFile();
    expect((await ask(href, 'HEAD')).status).toBe(404);
    expect((await ask('/download/guessed')).status).toBe(404);
    const answer = await ask(href);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Gr%C3%BCner%20Tee.md",
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toBe('Green tea');
    expect((await ask(href)).status).toBe(404);
    await expect.poll(() => existsSync(at('one'))).toBe(false);
  });

  it('is not served to a refused client, and is deleted at the end of the host', async () => {
    const { at, downloads, href, ask } = await offerFile(undefined, true);
    expect((await ask(href)).status).toBe(403);
    expect(existsSync(at('one'))).toBe(true);
    await downloads.end();
    expect(existsSync(at('one'))).toBe(false);
  });

  it('is deleted if it is not fetched', async () => {
    const { at, href, ask } = await offerFile(5);
    await expect.poll(() => existsSync(at('one'))).toBe(false);
    expect((await ask(href)).status).toBe(404);
  });
});

describe('the browser host', () => {
  it('uses any free port by default, so that no camera permission outlives the run', () => {
    expect(readBrowserOptions([])).toMatchObject({ kind: 'options', port: 0 });
    expect(readBrowserOptions(['--port', '8127'])).toMatchObject({ port: 8127 });
  });

  it.each([
    '--port=',
    '--port=65536',
    '--port=1e9',
    '--dev-renderer=http://example.com:80',
    '--dev-renderer=https://127.0.0.1:5173',
    '--dev-renderer=http://127.0.0.1:1/x',
    '--public',
  ])('refuses %s', (option) => {
    expect(readBrowserOptions([option])).toMatchObject({ kind: 'usage' });
  });

  it.each(['0.0.0.0', '::', '192.168.1.2', '127.0.0.1.example.com', ''])(
    'does not take "%s" for loopback',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );
});
