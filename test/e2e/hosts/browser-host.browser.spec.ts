import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { type BrowserHostProcess, startBrowserHost } from '../fixtures/browser-host.ts';
import { expect, test, expectedPageHeaders } from '../fixtures/host-test.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';

const out = resolve(import.meta.dirname, '../../../out');
const assets = join(out, 'renderer/assets');

let host: BrowserHostProcess;
let origin: string;
let token: string;

test.beforeAll(async () => {
  host = await startBrowserHost();
  const address = new URL(host.address);
  origin = address.origin;
  token = new URLSearchParams(address.hash.slice(1)).get('token') ?? '';
});

test.afterAll(() => host.stop());

interface Connecting {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/**
 * Connects as the page does, except for what `part` replaces. Resolves with 101, or with the status of a refused
 * upgrade.
 */
function connect(part: Connecting = {}): Promise<number> {
  const { headers, path, ...rest } = { path: '/connection', headers: { origin }, token, ...part };
  const protocols = ['parley', rest.token].filter(Boolean);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, protocols, { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

function get(path: string, headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(origin), { path, headers }, (response) => {
      response.resume();
      resolve(response);
    });
    request.on('error', reject);
    request.end();
  });
}

test('the host accepts its own page, and refuses wrong tokens, origins, hosts and paths', async () => {
  expect(await connect()).toBe(101);
  for (const wrong of ['', 'x', token.slice(1), `${token}x`])
    expect(await connect({ token: wrong }), wrong).toBe(401);
  for (const foreign of ['https://example.com', 'null', 'http://127.0.0.1:1', `${origin}.example`])
    expect(await connect({ headers: { origin: foreign } }), foreign).toBe(403);
  expect(await connect({ headers: {} })).toBe(403);
  expect(await connect({ headers: { origin, host: 'example.com' } })).toBe(403);
  for (const path of ['/', '/connection/', '/etc/passwd', '//'])
    expect(await connect({ path }), path).toBe(404);
});

test('the host serves only the files of its page, and not to a foreign Host', async () => {
  const page = await get('/');
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject(expectedPageHeaders([origin.replace('http', 'ws')]));
  const outside = ['/../main/main.js', '/%2e%2e/main/main.js', '//', '/..%2fmain%2fmain.js', '/x'];
  for (const path of outside) expect((await get(path)).statusCode, path).toBe(404);
  expect((await get('/', { host: 'example.com' })).statusCode).toBe(403);
});

test('the host ends although a refused client keeps its connection open', async () => {
  const other = await startBrowserHost();
  const { hostname, port } = new URL(other.address);
  const line = connectTcp({ host: hostname, port: Number(port), allowHalfOpen: true });
  line.on('error', () => undefined);
  line.write(
    `GET /connection HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const [answer] = (await once(line, 'data')) as [Buffer];
  expect(answer.toString()).toContain('403 Forbidden');
  await other.stop();
  line.destroy();
});

test('a page with an expired address explains what the user can do', async ({ page, running }) => {
  running.consoleWatch.allow(/WebSocket connection .* failed/);
  await page.goto('about:blank');
  await page.goto(`${origin}/#token=expired`);
  await expect(page.getByRole('alert')).toContainText('open the address it prints');
});

test('the page hides the token and survives a reload', async ({ page }) => {
  expect(page.url()).not.toContain('token');
  await page.reload();
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
});

test('the host reports a taken port in one sentence', () => {
  const { port } = new URL(host.address);
  const entry = join(out, 'main/browser.js');
  const second = spawnSync(process.execPath, [entry, '--port', port], { encoding: 'utf8' });
  expect(second).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `Port ${port} is in use by another program: choose another port with --port, or omit --port.\n`,
  });
});

test('an installation damaged by an interrupted copy is explained in one sentence, and the host ends', async ({
  home,
}) => {
  const part = join(home, 'node_modules/ws');
  await cp(out, join(home, 'out'), { recursive: true });
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  await mkdir(part, { recursive: true });
  for (const [manifest, script] of [
    ['', undefined],
    ['{"main":"i.js"}', 'exports.'],
    ['{"main":"gone.js"}', undefined],
  ] as const) {
    await writeFile(join(part, 'package.json'), manifest);
    if (script !== undefined) await writeFile(join(part, 'i.js'), script);
    for (const entry of ['browser', 'cli']) {
      const args = [join(home, `out/main/${entry}.js`), 'doctor'];
      const ended = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(ended.stderr).toMatch(/^Parley could not start \(.+\): .*delete node_modules.*\n$/);
      expect(ended).toMatchObject({ status: 1, stdout: '' });
    }
  }
});

test('the page loads less than 350 KB of script, compressed', async () => {
  const page = await readFile(join(assets, '../index.html'), 'utf8');
  const initial = (await readdir(assets)).filter(
    (name) => name.endsWith('.js') && page.includes(name),
  );
  expect(initial.length).toBeGreaterThan(0);
  const files = await Promise.all(initial.map((name) => readFile(join(assets, name))));
  const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
  const description = `initial script: ${Math.round(bytes / 1024)} KB compressed`;
  test.info().annotations.push({ type: 'measured', description });
  expect(bytes / 1024).toBeLessThan(350);
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
