import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ModelFiles } from '../../electron/model/model-files.ts';
import type { Proxies } from '../../shared/ports/sockets.ts';
import { httpProxy } from '../fakes/proxies.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { mountSmallDisk } from '../fakes/work-folder.ts';
import {
  codeOf,
  expectModel,
  fillFolder,
  languageFile,
  ModelStage,
  readyState,
  totalBytes,
  untilDownload,
} from './model-stage.ts';

let stage: ModelStage;
let folder: string;
let model: ModelFiles;

beforeEach(async () => {
  stage = new ModelStage();
  await stage.begin();
  ({ folder } = stage);
  model = stage.open();
});

afterEach(() => stage.end());

/** Sends the beginning of a file, then breaks the connection. */
const breakAfter = (bytes: number) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-length': languageFile.length });
  response.write(languageFile.subarray(0, bytes), () => response.destroy());
};

describe('a download', () => {
  it('fills a private folder, and requests nothing more after that', async () => {
    expect(await model.examine()).toEqual({ kind: 'missing', bytes: 0, totalBytes });
    expect(await model.download()).toEqual({ ok: true, value: readyState(folder) });
    expectModel(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['language.gguf', 'tts']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'tts/voice.gguf')).mode & 0o777).toBe(0o600);
    const requestCount = stage.first.requests.length;
    model = stage.open();
    expect(await model.examine()).toEqual(readyState(folder));
    expect((await model.download()).ok).toBe(true);
    expect(stage.first.requests).toHaveLength(requestCount);
    for (const { headers } of stage.first.requests)
      expect(Object.keys(headers).toSorted()).toEqual(['connection', 'host', 'user-agent']);
  });

  it('pauses, and continues after a restart where it stopped', async () => {
    stage.first.answers.set('language.gguf', (_request, response) => {
      response.writeHead(200, { 'content-length': 3_000_000 });
      response.write(languageFile.subarray(0, 1_500_000));
    });
    model = stage.open({ idleMs: 20_000 });
    const paused = model.download();
    await untilDownload(model, ({ bytes }) => bytes >= 1_500_000);
    await model.pause();
    expect(await paused).toMatchObject({ ok: true, value: { kind: 'paused', bytes: 1_500_000 } });
    stage.first.answers.clear();
    model = stage.open();
    expect(await model.examine()).toMatchObject({ kind: 'missing', bytes: 1_500_000 });
    expect((await model.download()).ok).toBe(true);
    expect(stage.first.requests[1]?.headers.range).toBe('bytes=1500000-');
    expectModel(folder);
  });

  it('continues by itself after a broken connection', async () => {
    let times = 0;
    const broken = breakAfter(1_000_000);
    stage.first.answers.set('language.gguf', (request, response) => {
      times += 1;
      if (times === 1) stage.first.answers.clear();
      broken(request, response);
    });
    expect((await model.download()).ok).toBe(true);
    expect(stage.first.requests[1]?.headers.range).toMatch(/^bytes=\d+-$/u);
    expect(stage.fallbackUsed).toBe(false);
    expectModel(folder);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['refuses it', (_request, response) => response.writeHead(404).end()],
    ['forbids it', (_request, response) => response.writeHead(403).end()],
    ['has a fault', (_request, response) => response.writeHead(503).end()],
    ['stalls', (_request, response) => response.writeHead(200).write('x')],
    ['sends a page', (_request, response) => response.end('<title>Log in</title>')],
    ['sends other bytes', (_request, response) => response.end(Buffer.alloc(3_000_000))],
    [
      'redirects without end',
      (request, response) =>
        response.writeHead(302, { location: `${request.url ?? ''}?again` }).end(),
    ],
    [
      'redirects to another scheme',
      (_request, response) => response.writeHead(302, { location: 'ftp://127.0.0.1/' }).end(),
    ],
    [
      'redirects to plain http elsewhere',
      (_request, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(),
    ],
  ])('uses the second mirror if the first %s', async (_what, answer) => {
    stage.first.answers.set('language.gguf', answer);
    // Each redirect adds a suffix to the address.
    for (let redirects = 1; redirects < 10; redirects += 1)
      stage.first.answers.set(`language.gguf${'?again'.repeat(redirects)}`, answer);
    expect(await model.download()).toEqual({ ok: true, value: readyState(folder) });
    expect(stage.fallbackUsed).toBe(true);
    expect(stage.first.requests.length).toBeLessThanOrEqual(6);
    expectModel(folder);
  });

  it('names the file that every mirror alters, and keeps the other files', async () => {
    for (const server of [stage.first, stage.second])
      server.files.set('tts/voice.gguf', Buffer.alloc(200_000, 'x'));
    expect(await model.download()).toMatchObject({
      error: { code: 'modelMirrorsAlter', facts: { name: 'tts/voice.gguf' } },
    });
    expect(model.state).toMatchObject({ kind: 'failed', bytes: 3_000_000 });
    expect(readdirSync(join(folder, 'tts'))).toEqual([]);
  });

  it('follows a redirect and requests the rest of the file there', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'language.gguf.part'), languageFile.subarray(0, 1000));
    stage.first.answers.set('language.gguf', (_request, response) => {
      response.writeHead(302, { location: new URL('language.gguf', stage.second.url).href }).end();
    });
    expect((await model.download()).ok).toBe(true);
    expect(stage.second.requests.map(({ headers }) => headers.range)).toEqual(['bytes=1000-']);
    expect(stage.fallbackUsed).toBe(false);
  });

  it('does not trust an unknown certificate', async () => {
    const server = createSecure(selfSigned());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const mirrors = [{ id: 'm', host: 'm', base: `https://localhost:${port}/` }];
    model = stage.open({ mirrors });
    expect(codeOf(await model.download())).toBe('modelMirrorUntrusted');
  });

  it('uses the proxy, and ends at once if the proxy wants a password', async () => {
    const login = { name: 'ann', password: 'hush-hush' };
    const proxy = await httpProxy({ login });
    onTestFinished(proxy.end);
    const mirrors = [1, 2].map((id) => {
      const host = `mirror${id}.test:${stage.first.url.port}`;
      return { id: String(id), host, base: `http://${host}/feed/` };
    });
    const openBy = (route: object) => {
      const routes = [{ scheme: 'http', host: '127.0.0.1', port: proxy.port, ...route } as const];
      const proxies: Proxies = { routesTo: () => Promise.resolve({ ok: true, value: routes }) };
      return stage.open({ mirrors, proxies });
    };
    expect(codeOf(await openBy({}).download())).toBe('proxyWantsLogin');
    expect(proxy.targets).toHaveLength(1);
    expect((await openBy({ login }).download()).ok).toBe(true);
    expect(new Set(proxy.targets)).toEqual(new Set([mirrors[0]?.host]));
    for (const { headers } of stage.first.requests)
      expect(headers).not.toHaveProperty('proxy-authorization');
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['does not answer', () => undefined],
    ['stalls', (_request, response) => response.writeHead(200).write('x')],
  ])('uses the second mirror if the first %s behind a proxy', async (_what, answer) => {
    const proxy = await httpProxy();
    onTestFinished(proxy.end);
    const routes = [{ scheme: 'http', host: '127.0.0.1', port: proxy.port } as const];
    const mirrors = [stage.first, stage.second].map(({ url: { port } }, index) => {
      const host = `mirror${index}.test:${port}`;
      return { id: host, host, base: `http://${host}/feed/` };
    });
    stage.first.answers.set('language.gguf', answer);
    const proxies: Proxies = { routesTo: () => Promise.resolve({ ok: true, value: routes }) };
    expect((await stage.open({ mirrors, proxies }).download()).ok).toBe(true);
    expect(stage.second.requests[0]?.url).toContain('language.gguf');
    expectModel(folder);
  });

  it('is refused while another download fills the folder', async () => {
    stage.first.answers.set('language.gguf', () => undefined);
    stage.second.answers.set('language.gguf', () => undefined);
    const running = model.download();
    await untilDownload(model, ({ bytes }) => bytes >= 0);
    expect(codeOf(await model.download())).toBe('modelFilesBusy');
    const other = stage.open();
    expect(codeOf(await other.download())).toBe('modelFolderBusy');
    await model.pause();
    expect((await running).ok).toBe(true);
    stage.first.answers.clear();
    expect((await other.download()).ok).toBe(true);
  });

  it('keeps the stored part on a full disk, and continues when there is space', async (context) => {
    mountSmallDisk(stage.work('disk'), context);
    folder = stage.work('disk/r1');
    stage.folder = folder;
    model = stage.open({ freeSpace: () => Promise.resolve({ ok: true, value: 1e12 }) });
    expect(await model.download()).toMatchObject({
      error: { code: 'modelDiskFull', facts: { folder } },
    });
    const partBytes = statSync(join(folder, 'language.gguf.part')).size;
    expect(partBytes).toBeGreaterThan(500_000);
    execFileSync('mount', ['-o', 'remount,size=8m', stage.work('disk')]);
    expect((await model.download()).ok).toBe(true);
    expect(stage.first.requests[1]?.headers.range).toBe(`bytes=${partBytes}-`);
    expectModel(folder);
  });

  it('ignores the lock of a killed Parley', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.parley-download'), '4194305');
    expect((await model.download()).ok).toBe(true);
    expect(existsSync(join(folder, '.parley-download'))).toBe(false);
  });
});

describe('a model folder that the user chooses', () => {
  it('is refused with the names of its missing files', async () => {
    const mine = stage.work('mine');
    fillFolder(mine);
    rmSync(join(mine, 'tts/voice.gguf'));
    expect(await model.useFolder(mine)).toMatchObject({
      error: { code: 'modelFilesMissing', facts: { folder: mine, names: 'tts/voice.gguf' } },
    });
  });

  it('is used after one verification, even if it is read-only and has other files', async () => {
    const mine = stage.work('mine');
    fillFolder(mine);
    writeFileSync(join(mine, 'notes.txt'), 'x');
    chmodSync(mine, 0o500);
    onTestFinished(() => {
      chmodSync(mine, 0o700);
    });
    expect(await model.useFolder(mine)).toEqual({ ok: true, value: readyState(mine, true) });
    expect(await stage.open({ folder: mine }).examine()).toEqual(readyState(mine, true));
    expect(codeOf(await model.remove())).toBe('modelFolderForeign');
    expectModel(mine);
  });

  it.each<[string, (mine: string) => void, object]>([
    [
      'has an empty file',
      (mine) => {
        truncateSync(join(mine, 'tts/voice.gguf'), 0);
      },
      { code: 'modelFileSize', facts: { name: 'tts/voice.gguf' } },
    ],
    [
      'has a short file',
      (mine) => {
        truncateSync(join(mine, 'language.gguf'), 2_999_999);
      },
      { code: 'modelFileSize', facts: { name: 'language.gguf' } },
    ],
    [
      'has a changed file',
      (mine) => {
        writeFileSync(join(mine, 'language.gguf'), randomBytes(3_000_000));
      },
      { code: 'modelFileChanged', facts: { name: 'language.gguf' } },
    ],
  ])(
    'is refused with the name of the file if it %s, and never changed',
    async (_what, spoil, error) => {
      const mine = stage.work('mine');
      fillFolder(mine);
      spoil(mine);
      expect(await model.useFolder(mine)).toMatchObject({ ok: false, error });
      expect(model.folder).toBe(folder);
      await model.setFolder(mine);
      expect(await model.download()).toMatchObject({ ok: false, error });
      expect(stage.first.requests).toEqual([]);
    },
  );
});

it('verification finds a file that changed under its old size and time', async () => {
  await model.download();
  const path = join(folder, 'tts/voice.gguf');
  const { mtimeMs } = statSync(path);
  writeFileSync(path, randomBytes(200_000));
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  expect(await model.examine()).toEqual(readyState(folder));
  expect(await model.verify()).toMatchObject({ error: { code: 'modelFileChanged' } });
  expect(codeOf(await model.ready())).toBe('modelFileChanged');
  expect((await model.download()).ok).toBe(true);
  expect(codeOf(await model.verify())).toBe('ok');
});

it('removal deletes the model’s files and leaves other files', async () => {
  await model.download();
  writeFileSync(join(folder, 'tts/voice.gguf.part'), 'rest');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await model.remove()).toEqual({ ok: true, value: totalBytes + 4 });
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(model.state).toEqual({ kind: 'missing', bytes: 0, totalBytes });
});
