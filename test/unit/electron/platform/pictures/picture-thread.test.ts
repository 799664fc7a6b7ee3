import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  PictureThread,
  pictureThreadLimits,
} from '../../../../../electron/platform/pictures/picture-thread.ts';
import {
  createFrames,
  createPictures,
} from '../../../../../electron/platform/pictures/pictures.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const broken = failure('pictureBroken');
const ready = `parentPort.postMessage({ tell: 'ready' });`;
/** Which thread it is stands in the size. */
const measures = `parentPort.on('message', () => {
  parentPort.postMessage({ tell: 'done', value: { width: threadId, height: 1 } });
});`;
const dies = `parentPort.on('message', () => process.exit(1));`;
const throws = `parentPort.on('message', () => { throw new Error('a decoder gave up'); });`;
const hangs = `parentPort.on('message', () => { for (;;); });`;

let thread: PictureThread | undefined;
afterEach(() => thread?.end());

/** Threads that do as the script says. */
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

describe('a thread that decodes pictures', () => {
  it('is started with the first and serves those after it', async () => {
    const opened = open(ready + measures);
    const first = await answeringThread(opened);
    expect(first).toBeGreaterThan(0);
    expect(await answeringThread(opened)).toBe(first);
  });

  it('is not even started for what is no picture', async () => {
    const { pictures, thread } = open(hangs, { startMs: 1 });
    expect(await pictures.measure(Uint8Array.of(1, 2, 3))).toEqual(failure('notPicture'));
    const plan = () => ({ crop: undefined, width: 1, height: 1 });
    const frame = await createFrames(thread).prepare(new Uint8Array(), plan);
    expect(frame).toEqual(failure('frameNotJpeg'));
  });

  it.each([
    ['ends', dies],
    ['throws', throws],
  ])('that %s of a picture calls it broken, and another takes the next', async (_what, way) => {
    const { pictures } = open(ready + way);
    const both = [pictures.measure(jpeg), pictures.measure(jpeg)];
    expect(await Promise.all(both)).toEqual([broken, broken]);
  });

  it('is not started any more after too many deaths, until a while has gone', async () => {
    const { pictures } = open(ready + dies, { mostDeaths: 2, deathsWithinMs: 2000 });
    expect(await pictures.measure(jpeg)).toEqual(broken);
    expect(await pictures.measure(jpeg)).toEqual(broken);
    expect(await pictures.measure(jpeg)).toEqual(failure('picturesStopped'));
    await eventually(async () => expect(await pictures.measure(jpeg)).toEqual(broken));
  });

  it('that takes too long is ended, whatever it does', async () => {
    const { pictures } = open(ready + hangs, { jobMs: 30 });
    expect(await pictures.measure(jpeg)).toEqual(failure('pictureSlow'));
  });

  it('that never becomes ready is given up', async () => {
    const { pictures } = open('setInterval(() => {}, 1000);', { startMs: 30 });
    expect(await pictures.measure(jpeg)).toEqual(failure('picturesStopped'));
  });

  it('that has no decoder says why', async () => {
    const { pictures } = open(`parentPort.postMessage({ tell: 'unusable', reason: 'gone' });`);
    expect(await pictures.measure(jpeg)).toEqual(failure('noPictures', { error: 'gone' }));
  });

  it('ends when there is nothing to do for long, and is started again', async () => {
    const opened = open(ready + measures, { idleMs: 0 });
    const first = await answeringThread(opened);
    await eventually(async () => expect(await answeringThread(opened)).not.toBe(first));
  });

  it('ends with whatever it works on, and is not started after that', async () => {
    const { pictures, thread } = open(ready + hangs);
    const asked = pictures.measure(jpeg);
    setTimeout(() => thread.end(), 300);
    expect(await asked).toEqual(broken);
    expect(await pictures.measure(jpeg)).toEqual(broken);
  });
});
