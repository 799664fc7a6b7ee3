import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  PictureThread,
  pictureThreadLimits,
} from '../../../../electron/platform/pictures/picture-thread.ts';
import { createPictures } from '../../../../electron/platform/pictures/pictures.ts';
import { openHistoryIndex } from '../../../../electron/platform/history/history-index-thread.ts';
import { done, failure } from '../../../../shared/errors/app-error.ts';
import { eventually } from '../../../fakes/promises.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

vi.mock('node-sqlite3-wasm', () => {
  loaded();
  return { default: {} };
});

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const broken = failure('pictureBroken');
const ready = `parentPort.postMessage({ kind: 'ready' });`;
/** Answers each request with a size whose width is the thread's id, so that tests see which thread answered. */
const measures = `parentPort.on('message', () => {
  parentPort.postMessage({ kind: 'done', value: { width: threadId, height: 1 } });
});`;
const dies = `parentPort.on('message', () => process.exit(1));`;
const throws = `parentPort.on('message', () => { throw new Error('a decoder gave up'); });`;
const hangs = `parentPort.on('message', () => { for (;;); });`;

let thread: PictureThread | undefined;
afterEach(() => thread?.end());

/** A picture thread that runs the script. */
function open(script: string, limits: Partial<typeof pictureThreadLimits> = {}) {
  const entry = workFolder()('worker.mjs');
  writeFileSync(entry, `import { parentPort, threadId } from 'node:worker_threads';\n${script}`);
  thread = new PictureThread(entry, { ...pictureThreadLimits, ...limits });
  return { thread, pictures: createPictures(thread) };
}

async function answeringThread({ pictures }: ReturnType<typeof open>): Promise<number> {
  const size = await pictures.measure(jpeg);
  return size.ok ? size.value.width : NaN;
}

describe('PictureThread', () => {
  it.each([
    ['ends', dies],
    ['throws', throws],
  ])('reports a picture as broken if its thread %s', async (_what, failing) => {
    const { pictures } = open(ready + failing);
    const both = [pictures.measure(jpeg), pictures.measure(jpeg)];
    expect(await Promise.all(both)).toEqual([broken, broken]);
  });

  it('starts no thread for a while after too many crashes', async () => {
    const { pictures } = open(ready + dies, { maxCrashes: 2, crashWindowMs: 2000 });
    expect(await pictures.measure(jpeg)).toEqual(broken);
    expect(await pictures.measure(jpeg)).toEqual(broken);
    expect(await pictures.measure(jpeg)).toEqual(failure('picturesStopped'));
    await eventually(async () => expect(await pictures.measure(jpeg)).toEqual(broken));
  });

  it('ends a thread that takes too long', async () => {
    const { pictures } = open(ready + hangs, { jobMs: 30 });
    expect(await pictures.measure(jpeg)).toEqual(failure('pictureSlow'));
  });

  it('starts a new thread after the old one has announced its last answer', async () => {
    const last = measures.replace('value:', 'isLast: true, value:');
    const opened = open(ready + last);
    const first = await answeringThread(opened);
    expect(await answeringThread(opened)).not.toBe(first);
  });

  it('ends an idle thread and starts it again on demand', async () => {
    const opened = open(ready + measures, { idleMs: 0 });
    const first = await answeringThread(opened);
    await eventually(async () => expect(await answeringThread(opened)).not.toBe(first));
  });
});

const loaded = vi.fn();

it('a history index without a file is not taken for a lost one after its idle thread has ended', async () => {
  const entry = workFolder()('index.mjs');
  const answer = `(name) => (name === 'put' ? workerData.wasOnDisk : name === 'suspend' || 0)`;
  writeFileSync(
    entry,
    `import { parentPort, workerData } from 'node:worker_threads';
    const answer = ${answer};
    parentPort.on('message', ({ id, call }) =>
      parentPort.postMessage({ id, outcome: { ok: true, value: answer(call.name) } }));`,
  );
  const index = openHistoryIndex('/nowhere', entry, 10);
  await index.put([]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await index.put([])).toEqual({ ok: true, value: false });
  await index.close();
});

it('a history index without a file is empty, and does not load SQLite to say so', async () => {
  // Other tests of this process may have loaded the module.
  vi.resetModules();
  const { openHistoryIndex } =
    await import('../../../../electron/platform/history/history-index-thread.ts');
  const index = openHistoryIndex('/nowhere', undefined);
  expect(await index.known()).toEqual({ ok: true, value: [] });
  const none = { ok: true, value: { items: [], total: 0 } };
  expect(await index.find({ filter: {}, skip: 0, count: 1 })).toEqual(none);
  expect(await index.bytes()).toEqual({ ok: true, value: 0 });
  expect(await index.remove([{ kind: 'talk', id: 'a' }])).toEqual(done);
  expect(await index.clear()).toEqual(done);
  await index.close();
  expect(loaded).not.toHaveBeenCalled();
});
