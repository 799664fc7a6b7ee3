import { describe, expect, it } from 'vitest';
import { TalkTapes } from '../../../../electron/controllers/talk-tapes.ts';
import type { DataFolder } from '../../../../electron/ports/files.ts';
import { openLastingRecorder } from '../../../../electron/recorder/recording/lasting-recorder.ts';
import { bufferBase64 } from '../../../../electron/adapters/system/buffer-base64.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../fakes/fake-files.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { header } from '../recorder/recording/tape-deck.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

const done = { ok: true, value: undefined } as const;

/** After a tape is closed its folder is looked at, which takes until somebody says so. */
function tapesWithSlowList() {
  const listed = deferred();
  let looks = 0;
  const none = { ok: true, value: [] } as const;
  const list: DataFolder['list'] = async () => {
    looks += 1;
    // The first one is before it begins.
    if (looks > 1) await listed.promise;
    return none;
  };
  return { ...tapesOn(new FakeFiles(), undefined, list), listed };
}

function tapesOn(
  files: FakeFiles,
  make: DataFolder['make'] = () => Promise.resolve(done),
  list: DataFolder['list'] = () => Promise.resolve({ ok: true, value: [] }),
) {
  const told: AppError[] = [];
  const tapes = new TalkTapes({
    folder: {
      path: '/tapes',
      make,
      list,
      names: () => Promise.resolve({ ok: true, value: [] }),
      remove: () => Promise.resolve(done),
      move: () => Promise.resolve(done),
    },
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
    privacy: () => ({ keepTapes: true, tapeSound: 'float32' }),
    retention: { cutoff: () => undefined },
    trash: { put: () => Promise.resolve(done), tidy: () => Promise.resolve(done) },
    trouble: (error) => told.push(error),
  });
  return { tapes, told, codes: () => told.map(({ code }) => code) };
}

describe('what is wrong with a tape before its talk is on the screen', () => {
  it('is told when it is, because a talk that begins clears what was told', async () => {
    const { tapes, codes } = tapesOn(new FakeFiles(), () =>
      Promise.resolve(failure('readOnly', { path: '/tapes' })),
    );
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
    const { tapes, told } = tapesOn(new FakeFiles(), () =>
      Promise.resolve(failure('readOnly', { path: '/tapes' })),
    );
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
    const { tapes, listed } = tapesWithSlowList();
    const { finish } = await tapes.begin('now', header);
    const order: string[] = [];
    const finishing = finish().then(() => order.push('finished'));
    await flushPromises();
    const ending = tapes.end().then(() => order.push('ended'));
    await flushPromises();
    expect(order).toEqual([]);
    listed.resolve();
    await Promise.all([finishing, ending]);
    expect(order).toEqual(['finished', 'ended']);
  });
});

describe('the end of Parley while a tape is being begun', () => {
  it('waits for it and closes it; nothing begins after that', async () => {
    const files = new FakeFiles();
    const making = deferred();
    const { tapes } = tapesOn(files, () => making.promise.then(() => done));
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
