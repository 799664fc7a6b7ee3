import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import {
  afterEach,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  type TestContext,
} from 'vitest';
import type { ModelCatalogue } from '../../electron/model/model-catalogue.ts';
import { ModelFiles } from '../../electron/model/model-files.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { createModelDownload } from '../../electron/platform/model/model-download.ts';
import { createModelDisk } from '../../electron/platform/model/model-folder.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Files } from '../../shared/ports/files.ts';
import type { ModelFilesState } from '../../shared/model/local-model.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { mountSmallDisk } from '../fakes/small-disk.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { UpdateServer } from './update-server.ts';

const contents = new Map([
  ['language.gguf', randomBytes(3_000_000)],
  ['tts/voice.gguf', randomBytes(200_000)],
]);
const total = 3_200_000;

let first: UpdateServer;
let second: UpdateServer;
let catalogue: ModelCatalogue;
let folder: string;
let work: (name: string) => string;
let model: ModelFiles;
let fallbackUsed: boolean;

beforeEach(async () => {
  [first, second] = [new UpdateServer(), new UpdateServer()];
  fallbackUsed = false;
  for (const server of [first, second]) {
    await server.open();
    for (const [path, content] of contents) server.files.set(path, content);
  }
  catalogue = {
    revision: 'r1',
    files: [...contents].map(([path, content]) => ({
      path,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
    mirrors: [first, second].map(({ url }, index) => ({
      id: `m${index}`,
      host: url.host,
      base: url.href,
    })),
  };
  work = workFolder();
  folder = work('models/r1');
  model = open();
});

afterEach(async () => {
  await model.pause();
  await Promise.all([first.close(), second.close()]);
});

interface Changes extends Partial<ModelCatalogue> {
  readonly idleMs?: number;
  readonly freeSpace?: Files['freeSpace'];
}

function open(chosen = '', { idleMs = 300, freeSpace, ...changes }: Changes = {}): ModelFiles {
  const files = new ModelFiles(
    {
      catalogue: { ...catalogue, ...changes },
      disk: createModelDisk({ ...createFiles(), ...(freeSpace && { freeSpace }) }),
      fetch: createModelDownload(undefined, idleMs),
      clock: systemClock,
      memory: createStateFile(work('state'), 'model-files'),
    },
    folder,
    chosen,
  );
  files.listen((state) => {
    if (state.kind === 'downloading' && state.mirror === second.url.host) fallbackUsed = true;
  });
  return files;
}

function fill(target: string): void {
  for (const [path, content] of contents) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), content);
  }
}

function expectFiles(target: string): void {
  for (const [path, content] of contents)
    expect(readFileSync(join(target, path)).equals(content)).toBe(true);
}

const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.error.code);
const ready = (path: string, isForeign = false): ModelFilesState => ({
  kind: 'ready',
  folder: path,
  isForeign,
  totalBytes: total,
});

/** Sends the beginning of a file, then breaks the connection. */
const breakAfter =
  (path: string, bytes: number) => (_request: unknown, response: ServerResponse) => {
    const content = contents.get(path) ?? Buffer.alloc(0);
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => response.destroy());
  };

describe('a download', () => {
  it('fills a private folder, checks the sums, and needs no second request', async () => {
    expect(await model.look()).toEqual({ kind: 'missing', bytes: 0, totalBytes: total });
    expect(await model.download()).toEqual({ ok: true, value: ready(folder) });
    expectFiles(folder);
    expect(readdirSync(folder).toSorted()).toEqual(['language.gguf', 'tts']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'tts/voice.gguf')).mode & 0o777).toBe(0o600);
    const asked = first.asked.length;
    model = open();
    expect(await model.look()).toEqual(ready(folder));
    expect((await model.download()).ok).toBe(true);
    expect(first.asked).toHaveLength(asked);
    for (const { headers } of first.asked)
      expect(Object.keys(headers).toSorted()).toEqual(['connection', 'host', 'user-agent']);
  });

  it('pauses, and continues after a restart where it stopped', async () => {
    first.answers.set('language.gguf', (_request, response) => {
      response.writeHead(200, { 'content-length': 3_000_000 });
      response.write(contents.get('language.gguf')?.subarray(0, 1_500_000));
    });
    model = open('', { idleMs: 20_000 });
    const paused = model.download();
    await untilBytes(1_500_000);
    await model.pause();
    expect(await paused).toMatchObject({ ok: true, value: { kind: 'paused', bytes: 1_500_000 } });
    first.answers.clear();
    model = open();
    expect(await model.look()).toMatchObject({ kind: 'missing', bytes: 1_500_000 });
    expect((await model.download()).ok).toBe(true);
    expect(first.asked[1]?.headers.range).toBe('bytes=1500000-');
    expectFiles(folder);
  });

  it('goes on by itself after the connection broke', async () => {
    let times = 0;
    const broken = breakAfter('language.gguf', 1_000_000);
    first.answers.set('language.gguf', (request, response) => {
      times += 1;
      if (times === 1) first.answers.clear();
      broken(request, response);
    });
    expect((await model.download()).ok).toBe(true);
    expect(first.asked[1]?.headers.range).toMatch(/^bytes=\d+-$/u);
    expect(fallbackUsed).toBe(false);
    expectFiles(folder);
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
    first.answers.set('language.gguf', answer);
    for (let again = '?again', times = 0; times < 9; times += 1, again += '?again')
      first.answers.set(`language.gguf${again}`, answer);
    expect(await model.download()).toEqual({ ok: true, value: ready(folder) });
    expect(fallbackUsed).toBe(true);
    expect(first.asked.length).toBeLessThanOrEqual(6);
    expectFiles(folder);
  });

  it('names the file if every mirror sends wrong bytes, and keeps the others', async () => {
    for (const server of [first, second])
      server.files.set('tts/voice.gguf', Buffer.alloc(200_000, 'x'));
    expect(await model.download()).toMatchObject({
      error: { code: 'modelMirrorsAlter', facts: { name: 'tts/voice.gguf' } },
    });
    expect(model.state).toMatchObject({ kind: 'failed', bytes: 3_000_000 });
    expect(readdirSync(join(folder, 'tts'))).toEqual([]);
  });

  it('follows redirects with its range', async () => {
    mkdirSync(folder, { recursive: true });
    const begun = contents.get('language.gguf')?.subarray(0, 1000) ?? Buffer.alloc(0);
    writeFileSync(join(folder, 'language.gguf.part'), begun);
    first.answers.set('language.gguf', (_request, response) => {
      response.writeHead(302, { location: new URL('language.gguf', second.url).href }).end();
    });
    expect((await model.download()).ok).toBe(true);
    expect(second.asked.map(({ headers }) => headers.range)).toEqual(['bytes=1000-']);
    expect(fallbackUsed).toBe(false);
  });

  it('starts over if its part belongs to another file', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'language.gguf.part'), Buffer.alloc(1000, 'x'));
    expect((await model.download()).ok).toBe(true);
    expectFiles(folder);
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
    model = open('', { mirrors });
    expect(codeOf(await model.download())).toBe('modelMirrorUntrusted');
  });

  it('is refused while another one fills the folder', async () => {
    first.answers.set('language.gguf', () => undefined);
    second.answers.set('language.gguf', () => undefined);
    const running = model.download();
    await untilBytes(0);
    expect(codeOf(await model.download())).toBe('modelFilesBusy');
    const other = open();
    expect(codeOf(await other.download())).toBe('modelFolderBusy');
    await model.pause();
    expect((await running).ok).toBe(true);
    first.answers.clear();
    expect((await other.download()).ok).toBe(true);
  });

  it('is refused while another process fills the folder', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.parley-download'), String(process.ppid));
    expect(codeOf(await model.download())).toBe('modelFolderBusy');
    expect(first.asked).toEqual([]);
  });

  it('keeps its part while a network sends its login page', async () => {
    mkdirSync(folder, { recursive: true });
    const begun = contents.get('language.gguf')?.subarray(0, 1000) ?? Buffer.alloc(0);
    writeFileSync(join(folder, 'language.gguf.part'), begun);
    first.answers.set('language.gguf', (_request, response) => response.end('Log in'));
    expect((await model.download()).ok).toBe(true);
    expect(second.asked[0]?.headers.range).toBe('bytes=1000-');
  });

  it('leaves no timer if it is paused while it waits for the network', async () => {
    for (const server of [first, second])
      server.answers.set('language.gguf', (_request, response) => response.writeHead(503).end());
    const paused = model.download();
    await untilTrouble();
    await untilTrouble();
    await model.pause();
    expect(await paused).toMatchObject({ value: { kind: 'paused' } });
  });

  it('keeps what has arrived if the disk becomes full, and goes on when there is room', async (context) => {
    mountSmallDisk(work('disk'), context);
    folder = work('disk/r1');
    model = open('', { freeSpace: () => Promise.resolve({ ok: true, value: 1e12 }) });
    expect(await model.download()).toMatchObject({
      error: { code: 'modelDiskFull', facts: { folder } },
    });
    const kept = statSync(join(folder, 'language.gguf.part')).size;
    expect(kept).toBeGreaterThan(500_000);
    execFileSync('mount', ['-o', 'remount,size=8m', work('disk')]);
    expect((await model.download()).ok).toBe(true);
    expect(first.asked[1]?.headers.range).toBe(`bytes=${kept}-`);
    expectFiles(folder);
  });

  it('ignores the lock of a killed Parley', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.parley-download'), '4194305');
    expect((await model.download()).ok).toBe(true);
    expect(existsSync(join(folder, '.parley-download'))).toBe(false);
  });

  it('replaces files of its folder that are short or changed', async () => {
    await model.download();
    truncateSync(join(folder, 'language.gguf'), 10);
    writeFileSync(join(folder, 'tts/voice.gguf'), randomBytes(200_000));
    expect((await model.download()).ok).toBe(true);
    expectFiles(folder);
  });
});

describe('a folder that exists already', () => {
  it('is refused with the names that it lacks', async () => {
    const mine = work('mine');
    fill(mine);
    rmSync(join(mine, 'tts/voice.gguf'));
    expect(await model.useFolder(mine)).toMatchObject({
      error: { code: 'modelFilesMissing', facts: { folder: mine, names: 'tts/voice.gguf' } },
    });
  });

  it('is used after one verification, with other files in it and read-only', async () => {
    const mine = work('mine');
    fill(mine);
    writeFileSync(join(mine, 'notes.txt'), 'x');
    chmodSync(mine, 0o500);
    onTestFinished(() => {
      chmodSync(mine, 0o700);
    });
    expect(await model.useFolder(mine)).toEqual({ ok: true, value: ready(mine, true) });
    expect(await open(mine).look()).toEqual(ready(mine, true));
    expect(codeOf(await model.remove())).toBe('modelFolderForeign');
    expectFiles(mine);
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
    'is refused by name if it %s, and downloads replace nothing there',
    async (_what, spoil, error) => {
      const mine = work('mine');
      fill(mine);
      spoil(mine);
      expect(await model.useFolder(mine)).toMatchObject({ ok: false, error });
      expect(model.folder).toBe(folder);
      await model.setFolder(mine);
      expect(await model.download()).toMatchObject({ ok: false, error });
      expect(first.asked).toEqual([]);
    },
  );
});

it('verification finds a file that changed under its old size and time', async () => {
  await model.download();
  const path = join(folder, 'tts/voice.gguf');
  const { mtimeMs } = statSync(path);
  writeFileSync(path, randomBytes(200_000));
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  expect(await model.look()).toEqual(ready(folder));
  expect(await model.verify()).toMatchObject({ error: { code: 'modelFileChanged' } });
  expect(codeOf(await model.ready())).toBe('modelFileChanged');
  expect((await model.download()).ok).toBe(true);
  expect(codeOf(await model.verify())).toBe('ok');
});

it('removal deletes the model’s files and leaves others', async () => {
  await model.download();
  writeFileSync(join(folder, 'tts/voice.gguf.part'), 'rest');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(await model.remove()).toEqual({ ok: true, value: total + 4 });
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(model.state).toEqual({ kind: 'missing', bytes: 0, totalBytes: total });
});

it('a folder that Parley has filled may be emptied by Parley', async () => {
  const other = work('other');
  model = open(other);
  expect(await model.download()).toEqual({ ok: true, value: ready(other) });
  expect((await model.remove()).ok).toBe(true);
  expect(existsSync(other)).toBe(false);
});

function untilTrouble(): Promise<void> {
  return new Promise((resolve) => {
    model.listen((state) => {
      if (state.kind === 'downloading' && state.trouble !== undefined) resolve();
    });
  });
}

function untilBytes(bytes: number): Promise<void> {
  return new Promise((resolve) => {
    model.listen((state) => {
      if (state.kind === 'downloading' && state.bytes >= bytes) resolve();
    });
  });
}
