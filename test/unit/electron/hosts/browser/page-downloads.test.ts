import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { PageDownloads } from '../../../../../electron/hosts/browser/page-downloads.ts';
import { createPageListener } from '../../../../../electron/hosts/browser/page-server.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

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

it('a file is served once, under its name, and then deleted', async () => {
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

it('a refused client gets no file, and the file is deleted at the end of the host', async () => {
  const { at, downloads, href, ask } = await offerFile(undefined, true);
  expect((await ask(href)).status).toBe(403);
  expect(existsSync(at('one'))).toBe(true);
  await downloads.end();
  expect(existsSync(at('one'))).toBe(false);
});

it('a file that is not fetched is deleted', async () => {
  const { at, href, ask } = await offerFile(5);
  await expect.poll(() => existsSync(at('one'))).toBe(false);
  expect((await ask(href)).status).toBe(404);
});
