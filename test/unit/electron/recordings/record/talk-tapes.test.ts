import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { openLastingRecorder } from '../../../../../electron/recordings/record/lasting-recorder.ts';
import { TalkTapes } from '../../../../../electron/recordings/record/talk-tapes.ts';
import { type AppError, failure } from '../../../../../shared/errors/app-error.ts';
import type { DataFolder } from '../../../../../shared/ports/files.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDataFolder } from '../../../../fakes/fake-data-folder.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { TalkControllerHarness } from '../../talk/talk-controller-harness.ts';
import { header } from '../tape/tape-deck.ts';

const done = { ok: true, value: undefined } as const;

const refuse: DataFolder['make'] = () => Promise.resolve(failure('readOnly', { path: '/tapes' }));

/** After a tape is closed its folder is looked at, which takes until somebody says so. */
function tapesWithSlowLook() {
  const looked = deferred();
  const find: DataFolder['find'] = async () => {
    await looked.promise;
    return { ok: true, value: undefined };
  };
  return { ...tapesOn(new FakeFiles(), { find }), looked };
}

function tapesOn(files: FakeFiles, answers: Partial<DataFolder> = {}) {
  return tapesIn(new FakeDataFolder('/tapes'), { files, answers });
}

interface Kept {
  readonly files?: FakeFiles;
  readonly answers?: Partial<DataFolder>;
  readonly keepTapes?: boolean;
}

function tapesIn(
  folder: FakeDataFolder,
  { files = new FakeFiles(), answers = {}, keepTapes = true }: Kept = {},
) {
  const told: AppError[] = [];
  const tapes = new TalkTapes({
    folder: Object.assign(folder, answers),
    openTape: (folder, facts, onError) =>
      openLastingRecorder(
        folder,
        { ...header, ...facts },
        {
          files,
          clock: new FakeClock(),
          base64: bufferBase64,
          onError,
        },
      ),
    privacy: () => ({ keepTapes }),
    trouble: (error) => told.push(error),
  });
  return { tapes, told, codes: () => told.map(({ code }) => code) };
}

describe('what is wrong with a tape before its talk is on the screen', () => {
  it('is told when it is, because a talk that begins clears what was told', async () => {
    const { tapes, codes } = tapesOn(new FakeFiles(), { make: refuse });
    const tape = await tapes.begin('now', header);
    expect([tape.recorder, codes()]).toEqual([undefined, []]);
    tape.shown();
    tape.shown();
    expect(codes()).toEqual(['tapeFailed']);
  });

  it('is told then too where it was found by the first write', async () => {
    const files = new FakeFiles();
    files.fill(10);
    const { tapes, codes } = tapesOn(files);
    const tape = await tapes.begin('now', header);
    await flushPromises();
    expect(codes()).toEqual([]);
    tape.shown();
    expect(codes()).toEqual(['tapeLowSpace', 'tapeGap']);
    await tape.finish();
  });

  it('comes after the talk for every page', async () => {
    const harness = new TalkControllerHarness();
    const { tapes, told } = tapesOn(new FakeFiles(), { make: refuse });
    const server = harness.server('one');
    harness.connected = async () => {
      const tape = await tapes.begin('now', header);
      const shown = (): void => {
        tape.shown();
        expect(harness.posted('talkBegan').length).toBe(1);
      };
      return { ok: true, value: { ...server, shown, left: tape.finish } };
    };
    await harness.live();
    expect(told.length).toBe(1);
  });
});

describe('the end of Parley', () => {
  it('waits for a tape whose talk was left just before, until its last file is whole', async () => {
    const { tapes, looked } = tapesWithSlowLook();
    const { finish } = await tapes.begin('now', header);
    const order: string[] = [];
    const finishing = finish().then(() => order.push('finished'));
    await flushPromises();
    const ending = tapes.end().then(() => order.push('ended'));
    await flushPromises();
    expect(order).toEqual([]);
    looked.resolve();
    await Promise.all([finishing, ending]);
    expect(order).toEqual(['finished', 'ended']);
  });
});

describe('the end of Parley while a tape is being begun', () => {
  it('waits for it and closes it; nothing begins after that', async () => {
    const files = new FakeFiles();
    const making = deferred();
    const { tapes } = tapesOn(files, { make: () => making.promise.then(() => done) });
    const beginning = tapes.begin('now', header);
    await flushPromises();
    const order: string[] = [];
    const ending = tapes.end().then(() => order.push('ended'));
    await flushPromises();
    making.resolve();
    const { recorder } = await beginning;
    order.push('begun');
    await ending;
    expect([recorder !== undefined, order]).toEqual([true, ['begun', 'ended']]);
    // One that is closed before anything came has taken its files away.
    expect(files.names().filter((path) => path.startsWith('/tapes/now/'))).toEqual([]);
    expect((await tapes.begin('later', header)).recorder).toBeUndefined();
  });
});

/** As many as there are after some years. */
function thousands(): FakeDataFolder {
  const folder = new FakeDataFolder('/tapes');
  for (let n = 0; n < 2000; n += 1) folder.put(`tape-${n}`);
  return folder;
}

describe('the begin of a talk', () => {
  it('asks nothing of the recordings where none is to be made', async () => {
    const folder = thousands();
    const { tapes } = tapesIn(folder, { keepTapes: false });
    const tape = await tapes.begin('now', header);
    expect([tape.recorder, folder.calls]).toEqual([undefined, []]);
  });

  it('looks at no other recording where one is to be made', async () => {
    const folder = thousands();
    const { tapes } = tapesIn(folder);
    const tape = await tapes.begin('now', header);
    expect([folder.calls, folder.inspectedItems]).toEqual([['make'], 0]);
    // The next talk waits for this.
    await tape.finish();
    expect(folder.inspectedItems).toBe(0);
    expect(folder.calls).toEqual(['make', 'find']);
  });
});

it('all recordings of a talk go together, also those saved of it later, and nobody else’s', async () => {
  const folder = new FakeDataFolder('/tapes');
  for (const name of ['a', 'a-2', 'a-3', 'a-b', 'ab', 'b']) folder.put(name);
  const { tapes } = tapesIn(folder);
  expect(await tapes.removeAllOf('a')).toEqual(done);
  expect(await folder.names()).toEqual({ ok: true, value: ['a-b', 'ab', 'b'] });
});
