import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { openResilientRecorder } from '../../../../../electron/recordings/record/resilient-recorder.ts';
import { TalkTapes } from '../../../../../electron/recordings/record/talk-tapes.ts';
import { done, type AppError, failure } from '../../../../../shared/errors/app-error.ts';
import type { DataFolder } from '../../../../../shared/ports/files.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeDataFolder } from '../../../../fakes/fake-data-folder.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { TalkControllerHarness } from '../../talk/talk-controller-harness.ts';
import { header } from '../tape/recorder-harness.ts';

const refuse: DataFolder['make'] = () => Promise.resolve(failure('readOnly', { path: '/tapes' }));

/** Closing one of these tapes looks up its folder. The lookup waits until the test resolves `looked`. */
function tapesWithSlowLookup() {
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

interface TapesOptions {
  readonly files?: FakeFiles;
  readonly answers?: Partial<DataFolder>;
  readonly keepTapes?: boolean;
}

function tapesIn(
  folder: FakeDataFolder,
  { files = new FakeFiles(), answers = {}, keepTapes = true }: TapesOptions = {},
) {
  const reported: AppError[] = [];
  const tapes = new TalkTapes({
    folder: Object.assign(folder, answers),
    openTape: (folder, facts, onError) =>
      openResilientRecorder(
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
    reportError: (error) => reported.push(error),
  });
  return { tapes, reported, codes: () => reported.map(({ code }) => code) };
}

describe('a tape error before its talk is on screen', () => {
  it('is reported once the talk is shown, because a new talk clears older errors', async () => {
    const { tapes, codes } = tapesOn(new FakeFiles(), { make: refuse });
    const tape = await tapes.begin('now', header);
    expect([tape.recorder, codes()]).toEqual([undefined, []]);
    tape.onShown();
    tape.onShown();
    expect(codes()).toEqual(['tapeFailed']);
  });

  it('is reported at that time also if the first write found it', async () => {
    const files = new FakeFiles();
    files.fill(10);
    const { tapes, codes } = tapesOn(files);
    const tape = await tapes.begin('now', header);
    await flushPromises();
    expect(codes()).toEqual([]);
    tape.onShown();
    expect(codes()).toEqual(['tapeLowSpace', 'tapeGap']);
    await tape.finish();
  });

  it('is posted after the notice that the talk began', async () => {
    const harness = new TalkControllerHarness();
    const { tapes, reported } = tapesOn(new FakeFiles(), { make: refuse });
    const server = harness.server('one');
    harness.connected = async () => {
      const tape = await tapes.begin('now', header);
      const shown = (): void => {
        tape.onShown();
        expect(harness.posted('talkBegan').length).toBe(1);
      };
      return { ok: true, value: { ...server, onShown: shown, onEnded: tape.finish } };
    };
    await harness.live();
    expect(reported.length).toBe(1);
  });
});

describe('shutting down', () => {
  it('waits for the tape of a talk that was just left', async () => {
    const { tapes, looked } = tapesWithSlowLookup();
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

  it('waits for a tape that is being opened, closes it, and opens no other', async () => {
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
    // A tape closed before its first connection has deleted its files.
    expect(files.names().filter((path) => path.startsWith('/tapes/now/'))).toEqual([]);
    expect((await tapes.begin('later', header)).recorder).toBeUndefined();
  });
});

function createManyTapes(): FakeDataFolder {
  const folder = new FakeDataFolder('/tapes');
  for (let n = 0; n < 2000; n += 1) folder.put(`tape-${n}`);
  return folder;
}

describe('the start of a talk', () => {
  it('does not touch the tapes folder if recording is off', async () => {
    const folder = createManyTapes();
    const { tapes } = tapesIn(folder, { keepTapes: false });
    const tape = await tapes.begin('now', header);
    expect([tape.recorder, folder.calls]).toEqual([undefined, []]);
  });

  it('does not list other tapes if recording is on', async () => {
    const folder = createManyTapes();
    const { tapes } = tapesIn(folder);
    const tape = await tapes.begin('now', header);
    expect([folder.calls, folder.inspectedItems]).toEqual([['make'], 0]);
    await tape.finish();
    expect(folder.inspectedItems).toBe(0);
    expect(folder.calls).toEqual(['make', 'find']);
  });
});

it('deleting a talk deletes all its tapes and no others', async () => {
  const folder = new FakeDataFolder('/tapes');
  for (const name of ['a', 'a-2', 'a-3', 'a-b', 'ab', 'b']) folder.put(name);
  const { tapes } = tapesIn(folder);
  expect(await tapes.removeTapesOf('a')).toEqual(done);
  expect(await folder.names()).toEqual({ ok: true, value: ['a-b', 'ab', 'b'] });
});
