import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WebSocket } from 'ws';
import { type BrowserHostProcess, startBrowserHost } from '../fixtures/browser-host.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { expectedPageHeaders } from '../fixtures/page-headers.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';

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

/** Resolves with the status of a refused upgrade, or with 101 if it was accepted. */
function connect(options: {
  token: string;
  headers: OutgoingHttpHeaders;
  path?: string;
}): Promise<number> {
  const address = `${origin.replace('http', 'ws')}${options.path ?? '/connection'}`;
  const socket = new WebSocket(address, ['parley', options.token].filter(Boolean), {
    headers: options.headers as Record<string, string>,
  });
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

test('the host accepts its own page', async () => {
  expect(await connect({ token, headers: { origin } })).toBe(101);
});

test('the host refuses a wrong, an empty and a nearly right token', async () => {
  for (const wrong of ['', 'x', token.slice(1), `${token}x`]) {
    expect(await connect({ token: wrong, headers: { origin } }), wrong).toBe(401);
  }
});

test('the host refuses a foreign or missing Origin', async () => {
  for (const foreign of [
    'https://example.com',
    'null',
    'http://127.0.0.1:1',
    `${origin}.example`,
  ]) {
    expect(await connect({ token, headers: { origin: foreign } }), foreign).toBe(403);
  }
  expect(await connect({ token, headers: {} })).toBe(403);
});

test('the host accepts connections at one path only', async () => {
  for (const path of ['/', '/connection/', '/etc/passwd', '//']) {
    expect(await connect({ token, headers: { origin }, path }), path).toBe(404);
  }
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

test('the host refuses a foreign Host, for pages and connections', async () => {
  expect(await connect({ token, headers: { origin, host: 'example.com' } })).toBe(403);
  expect((await get('/', { host: 'example.com' })).statusCode).toBe(403);
});

test('the host serves only the files of its page', async () => {
  const page = await get('/');
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject(expectedPageHeaders([origin.replace('http', 'ws')]));
  for (const path of [
    '/../main/main.js',
    '/%2e%2e/main/main.js',
    '//',
    '/..%2fmain%2fmain.js',
    '/x',
  ]) {
    expect((await get(path)).statusCode, path).toBe(404);
  }
});

test('the host uses another port at every start, so that no later program inherits a camera permission', async () => {
  const entry = resolve(import.meta.dirname, '../../../out/main/browser.js');
  const state = mkdtempSync(join(tmpdir(), 'parley-state-'));
  const ports = new Set<string>();
  for (let start = 0; start < 2; start += 1) {
    const started = spawn(process.execPath, [entry], {
      env: { ...process.env, ...stateDirEnvironment(state) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(started, 'exit');
    const [said] = (await once(started.stdout, 'data')) as [Buffer];
    ports.add(/http:\/\/127\.0\.0\.1:(\d+)\//.exec(said.toString())?.[1] ?? '');
    started.kill('SIGTERM');
    await exit;
  }
  rmSync(state, { recursive: true });
  expect(ports).not.toContain('');
  expect(ports.size).toBe(2);
});

test('a page with an expired address says what to do', async ({ page, running }) => {
  running.consoleWatch.allow(/WebSocket connection .* failed/);
  await page.goto('about:blank');
  await page.goto(`${origin}/#token=expired`);
  await expect(page.getByRole('alert')).toContainText('open the address it prints');
});

test('the page hides the token and survives a reload', async ({ page }) => {
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
  expect(page.url()).not.toContain('token');
  await page.reload();
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
});

test('the host reports a taken port in one sentence', async () => {
  const { port } = new URL(host.address);
  const entry = resolve(import.meta.dirname, '../../../out/main/browser.js');
  const second = spawnSync(process.execPath, [entry, '--port', port], { encoding: 'utf8' });
  expect(second).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `Port ${port} is in use by another program: choose another port with --port, or omit --port.\n`,
  });
});
