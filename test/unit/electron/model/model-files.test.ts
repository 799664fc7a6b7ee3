import { beforeEach, describe, expect, it } from 'vitest';
import type { ModelFile } from '../../../../electron/model/model-catalogue.ts';
import type {
  FetchModelFile,
  FileVersion,
  ModelDisk,
  ModelFileRequest,
} from '../../../../electron/model/model-disk.ts';
import { ModelFiles } from '../../../../electron/model/model-files.ts';
import {
  type AppError,
  appError,
  done,
  failure,
  type Outcome,
} from '../../../../shared/errors/app-error.ts';
import type { ModelFilesState } from '../../../../shared/model/local-model-state.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { deferred, flushPromises } from '../../../fakes/promises.ts';

const gb = 1_000_000_000;
const files: readonly ModelFile[] = [
  { path: 'a.gguf', bytes: 5 * gb, sha256: 'sum of a' },
  { path: 'b.gguf', bytes: gb, sha256: 'sum of b' },
];
const mirrors = ['one', 'two'].map((id) => ({
  id,
  host: `${id}.test`,
  base: `https://${id}.test/`,
}));

/** A disk that has only the sizes of files and of partial downloads, by path. */
class FakeDisk implements ModelDisk {
  readonly files = new Map<string, FileVersion>();
  readonly parts = new Map<string, number>();
  free = 100 * gb;

  find = (_folder: string, path: string) => Promise.resolve(this.files.get(path));
  partialBytes = (_folder: string, path: string) => Promise.resolve(this.parts.get(path) ?? 0);
  hash = (_folder: string, path: string) => ({
    result: Promise.resolve({ ok: true as const, value: `sum of ${path.slice(0, 1)}` }),
    stop: () => undefined,
  });
  freeSpace = () => Promise.resolve({ ok: true as const, value: this.free });
  remove: ModelDisk['remove'] = (_folder, paths) => {
    for (const path of paths) for (const map of [this.files, this.parts]) map.delete(path);
    return Promise.resolve(done);
  };
  reserve = () => Promise.resolve({ ok: true as const, value: () => Promise.resolve() });
}

interface Attempt extends ModelFileRequest {
  readonly end: (outcome: Outcome<undefined> | undefined) => void;
}

let clock: FakeClock;
let disk: FakeDisk;
let model: ModelFiles;
/** The download that runs now. */
let attempt: Attempt | undefined;
let attempts: string[];
let states: ModelFilesState[];

const fetch: FetchModelFile = (request) => {
  attempts.push(request.mirror.id);
  let end: Attempt['end'] = () => undefined;
  const result = new Promise<Outcome<undefined> | undefined>((resolve) => {
    end = resolve;
  });
  attempt = { ...request, end };
  return {
    result,
    stop: () => {
      end(undefined);
    },
  };
};

beforeEach(() => {
  clock = new FakeClock();
  disk = new FakeDisk();
  attempts = [];
  states = [];
  const ports = { disk, fetch, clock, verifiedFiles: new FakeStateFile() };
  model = new ModelFiles({ ...ports, catalogue: { revision: 'r', files, mirrors } }, '/own');
  model.listen((state) => states.push(state));
});

async function fail(error: AppError): Promise<void> {
  attempt?.end({ ok: false, error });
  await flushPromises();
}

async function arrive(): Promise<void> {
  if (attempt === undefined) throw new Error('nothing is downloaded');
  const { file, end } = attempt;
  disk.files.set(file.path, { bytes: file.bytes, changedAt: 1 });
  disk.parts.delete(file.path);
  end(done);
  await flushPromises();
}

const away = appError('modelMirrorAway', { host: 'h' });
const latest = () => model.state;

describe('the space for a download', () => {
  it('is checked before a download, less the bytes that are already on the disk', async () => {
    disk.parts.set('a.gguf', 2 * gb);
    disk.free = 5 * gb - 1;
    expect(await model.download()).toMatchObject({
      error: {
        code: 'modelSpace',
        facts: { folder: '/own', neededGb: '5.0', freeGb: '4.9' },
      },
    });
    expect(latest()).toMatchObject({ kind: 'failed', bytes: 2 * gb });
    disk.free = 5 * gb;
    void model.download();
    await flushPromises();
    expect(attempts).toEqual(['one']);
    await model.pause();
  });

  it('is reported as still needed when the disk fills up during a download', async () => {
    const ending = model.download();
    await flushPromises();
    disk.parts.set('a.gguf', 3 * gb);
    disk.free = 0;
    await fail(appError('diskFull', { path: '/own/a.gguf' }));
    expect(await ending).toMatchObject({
      error: { code: 'modelDiskFull', facts: { neededGb: '4.0' } },
    });
    expect(attempts).toEqual(['one']);
    expect(latest()).toMatchObject({ kind: 'failed', bytes: 3 * gb });
  });
});

describe('the speed of a download', () => {
  it('is an average of ten seconds, with the time that is left', async () => {
    void model.download();
    await flushPromises();
    expect(latest()).toMatchObject({ bytesPerSecond: 0, secondsLeft: undefined });
    for (let second = 1; second <= 20; second += 1) {
      attempt?.onBytes(second * 50_000_000);
      clock.advance(1000);
    }
    expect(latest()).toMatchObject({
      kind: 'downloading',
      file: 1,
      files: 2,
      bytes: gb,
      totalBytes: 6 * gb,
      mirror: 'one.test',
    });
    const { bytesPerSecond, secondsLeft } = downloading();
    expect(bytesPerSecond / 50_000_000).toBeCloseTo(1, 1);
    expect(secondsLeft).toBeCloseTo((5 * gb) / bytesPerSecond, -1);
    // No more bytes arrive.
    clock.advance(12_000);
    expect(latest()).toMatchObject({ bytesPerSecond: 0, secondsLeft: undefined });
    await model.pause();
    expect(latest()).toMatchObject({ kind: 'paused', bytesPerSecond: 0 });
  });
});

describe('a lost network', () => {
  it('makes Parley try both mirrors with growing pauses for ten minutes, and then fails the download', async () => {
    const ending = model.download();
    await flushPromises();
    const pauses: number[] = [];
    while (latest().kind === 'downloading') {
      const before = [attempts.length, clock.now()] as const;
      await fail(away);
      for (let step = 0; step < 1000 && attempts.length === before[0]; step += 1) {
        if (latest().kind !== 'downloading') break;
        clock.advance(500);
        await flushPromises();
      }
      if (attempts.length > before[0]) pauses.push((clock.now() - before[1]) / 1000);
    }
    expect(attempts.slice(0, 4)).toEqual(['one', 'two', 'one', 'two']);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(clock.now() / 60_000).toBeCloseTo(10.5, 0);
    expect(await ending).toEqual({ ok: false, error: away });
  });

  it('makes Parley resume the download from the same mirror when the network returns', async () => {
    void model.download('two');
    await flushPromises();
    attempt?.onBytes(gb);
    await fail(away);
    expect(latest()).toMatchObject({ kind: 'downloading', trouble: away });
    clock.advance(1000);
    await flushPromises();
    expect(attempts).toEqual(['two', 'two']);
    attempt?.onBytes(gb + 1);
    clock.advance(500);
    expect(latest()).not.toHaveProperty('trouble');
    await model.pause();
  });

  it('does not delay a pause, which leaves no timer', async () => {
    const ending = model.download();
    await flushPromises();
    attempt?.onBytes(gb);
    await fail(away);
    await model.pause();
    expect(await ending).toMatchObject({ ok: true, value: { kind: 'paused' } });
    expect(clock.pending).toBe(0);
    expect(attempts).toHaveLength(1);
  });
});

it('the next files come from the mirror that replaced another one, and the reason stays visible', async () => {
  const refused = appError('modelMirrorRefuses', { host: 'one.test', status: 404 });
  const ending = model.download();
  await flushPromises();
  await fail(refused);
  attempt?.onBytes(gb);
  await arrive();
  clock.advance(500);
  expect(latest()).toMatchObject({ file: 2, mirror: 'two.test', trouble: refused });
  await arrive();
  expect(attempts).toEqual(['one', 'two', 'two']);
  expect(await ending).toMatchObject({ value: { kind: 'ready', folder: '/own' } });
});

it('a mirror that lacks a file is not tried again, but a mirror with a temporary error is', async () => {
  const answer = (status: number) => fail(appError('modelMirrorRefuses', { host: 'h', status }));
  void model.download();
  await flushPromises();
  await answer(503);
  await answer(429);
  expect(latest()).toMatchObject({ kind: 'downloading' });
  clock.advance(1000);
  await flushPromises();
  await answer(404);
  await answer(410);
  expect(latest()).toMatchObject({ kind: 'failed', error: { facts: { status: 410 } } });
  expect(attempts).toEqual(['one', 'two', 'one', 'two']);
});

it('a download that gets the same first bytes at each try fails', async () => {
  const ending = model.download();
  await flushPromises();
  while (latest().kind === 'downloading') {
    attempt?.onBytes(1000);
    await fail(away);
    clock.advance(60_000);
    await flushPromises();
  }
  expect(await ending).toEqual({ ok: false, error: away });
});

function downloading() {
  const state = latest();
  if (state.kind !== 'downloading') throw new Error(state.kind);
  return state;
}

it('files that could not be deleted from a folder of the user can be deleted later', async () => {
  await model.setFolder('/chosen');
  const downloading = model.download();
  await flushPromises();
  for (const _file of files) await arrive();
  expect(await downloading).toMatchObject({ value: { kind: 'ready', isForeign: false } });
  const { remove } = disk;
  disk.remove = () => Promise.resolve(failure('noPermission', { path: '/chosen' }));
  expect(await model.remove()).toMatchObject({ ok: false, error: { code: 'noPermission' } });
  disk.remove = remove;
  expect(await model.remove()).toEqual({ ok: true, value: 6 * gb });
});

it('the answer about a slow folder that is no longer chosen does not replace the state of the new one', async () => {
  const slow = deferred();
  const { find } = disk;
  disk.find = () => slow.promise.then(() => ({ bytes: gb, changedAt: 1 }));
  const examined = model.examine();
  disk.find = find;
  await model.setFolder('/other');
  slow.resolve();
  await examined;
  expect(states).toEqual([{ kind: 'missing', bytes: 0, totalBytes: 6 * gb }]);
});
