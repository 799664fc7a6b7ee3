import { describe, expect, it } from 'vitest';
import { createAboutHandlers } from '../../../../electron/app/app-handlers.ts';
import {
  createRequestDispatcher,
  NoticeBoard,
} from '../../../../electron/app/ipc/request-dispatcher.ts';
import { FramePipeline, createVisionHandlers } from '../../../../electron/vision/frame-pipeline.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import { OpenPage } from '../../../../shared/ipc/page.ts';
import { visionRequests } from '../../../../shared/ipc/vision-ipc.ts';
import type { Shareables } from '../../../../shared/ports/pictures.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { idleTalkHandlers, refusingHandlers } from '../../../fakes/fake-handlers.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { FakeNativeLibraries } from '../../../fakes/fake-native-libraries.ts';
import { FakeFrames } from '../../../fakes/fake-pictures.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

/** The part of the core behind vision requests, with fakes outside. */
function visionCore(shareables?: Shareables) {
  const notices = new NoticeBoard();
  const clock = new FakeClock();
  const posted: Notice[] = [];
  notices.listen((notice) => posted.push(notice));
  const framePipeline = new FramePipeline({
    clock,
    frames: new FakeFrames(),
    onSent: (frame) => {
      notices.post('frameSent', frame);
    },
    onCounted: () => undefined,
    onRefused: () => undefined,
  });
  const nativeLibraries = new FakeNativeLibraries({});
  const handlers = {
    ...refusingHandlers,
    ...idleTalkHandlers,
    ...createAboutHandlers({ about, clock, nativeLibraries, notices }),
    ...createVisionHandlers({ framePipeline, shareables }),
  };
  return {
    clock,
    posted,
    notices,
    framePipeline,
    answer: createRequestDispatcher(handlers, new FakeLog(), notices),
  };
}

const frame = FakeFrames.draw({ width: 640, height: 480, grey: 9 });

describe('the requests about vision', () => {
  it('accept frames only while the user has the camera on', async () => {
    const { answer, clock, framePipeline } = visionCore();
    framePipeline.attach(frameSink());
    const closed = { ok: true, value: { outcome: 'notWanted' } };
    expect(await answer('pushFrame', { jpeg: frame })).toEqual(closed);
    await answer('setCapturePermission', { open: 'camera' });
    expect(await answer('pushFrame', { jpeg: frame })).toEqual({
      ok: true,
      value: { outcome: 'taken' },
    });
    await answer('setCapturePermission', { open: 'nothing' });
    clock.advance(1000);
    expect(await answer('pushFrame', { jpeg: frame })).toEqual(closed);
  });

  it('prepare a frame by the options, and post the frame after it has been sent', async () => {
    const { answer, posted, framePipeline } = visionCore();
    const talk = frameSink();
    framePipeline.attach(talk);
    await answer('setCapturePermission', { open: 'camera' });
    await answer('setVisionOptions', { ...defaultVisionOptions, slices: 2, crop: half });
    await answer('pushFrame', { jpeg: frame });
    const jpeg = FakeFrames.draw({ width: 320, height: 480, grey: 9 });
    // Opening the camera first withdraws an earlier frame.
    expect(talk.seen).toEqual([undefined, jpeg]);
    expect(posted).toEqual([]);
    framePipeline.frameSent();
    expect(posted).toEqual<Notice[]>([
      {
        name: 'frameSent',
        payload: {
          jpeg,
          facts: { at: 0, bytes: jpeg.length, width: 320, height: 480, slices: 1, tokens: 64 },
        },
      },
    ]);
  });

  it('list what can be shared, with thumbnails on request', async () => {
    const list = [{ id: 'screen:0:0', kind: 'screen', name: 'Screen 1' }] as const;
    const asked: boolean[] = [];
    const { answer } = visionCore({
      list: (thumbnails) => {
        asked.push(thumbnails);
        return Promise.resolve({ ok: true, value: list });
      },
    });
    expect(await answer('shareables', { thumbnails: true })).toEqual({
      ok: true,
      value: { offered: true, list },
    });
    expect(asked).toEqual([true]);
  });

  it('list nothing, not even titles, for a page without recent user input', async () => {
    let asked = 0;
    let used = false;
    const page = new OpenPage(() => used);
    const { answer } = visionCore({
      list: () => {
        asked += 1;
        return Promise.resolve({ ok: true, value: [] });
      },
    });
    for (const thumbnails of [true, false]) {
      expect(await answer('shareables', { thumbnails }, page)).toEqual(failure('screenUnasked'));
    }
    expect(asked).toBe(0);
    used = true;
    expect(await answer('shareables', { thumbnails: true }, page)).toMatchObject({ ok: true });
  });

  it('share only a screen that was listed to the same page', async () => {
    const list = [{ id: 'screen:0:0', kind: 'screen', name: 'Screen 1' }] as const;
    const { answer, framePipeline } = visionCore({
      list: () => Promise.resolve({ ok: true, value: list }),
    });
    const [page, other] = [new OpenPage(), new OpenPage()];
    const show = (id: string | undefined, from: OpenPage) =>
      answer('setCapturePermission', { open: 'screen', id }, from);
    expect(await show('screen:0:0', page)).toEqual(failure('screenUnasked'));
    await answer('shareables', { thumbnails: false }, page);
    expect(await show('screen:1:0', page)).toEqual(failure('screenUnasked'));
    expect(await show(undefined, page)).toEqual(failure('screenUnasked'));
    expect(await show('screen:0:0', other)).toEqual(failure('screenUnasked'));
    expect(framePipeline.permission).toEqual({ open: 'nothing' });
    expect(await show('screen:0:0', page)).toMatchObject({ ok: true });
    expect(framePipeline.permission).toEqual({ open: 'screen', id: 'screen:0:0' });
  });

  it('turn capture off when the page that turned it on closes, but not for another page', async () => {
    const { answer, framePipeline } = visionCore();
    const [page, other] = [new OpenPage(), new OpenPage()];
    await answer('setCapturePermission', { open: 'camera' }, page);
    page.gone();
    expect(framePipeline.permission).toEqual({ open: 'nothing' });
    const third = new OpenPage();
    await answer('setCapturePermission', { open: 'camera' }, other);
    await answer('setCapturePermission', { open: 'camera' }, third);
    other.gone();
    expect(framePipeline.permission).toEqual({ open: 'camera' });
  });

  it('report why nothing can be listed', async () => {
    const { answer } = visionCore({ list: () => Promise.resolve(failure('screenForbidden')) });
    expect(await answer('shareables', { thumbnails: false })).toEqual(failure('screenForbidden'));
  });

  it('leave the choice to the browser if the host has no list', async () => {
    expect(await visionCore().answer('shareables', { thumbnails: false })).toEqual({
      ok: true,
      value: { offered: false, list: [] },
    });
  });
});

function frameSink() {
  const seen: (Uint8Array | undefined)[] = [];
  return {
    seen,
    chunkMs: 1000,
    pushFrame: (jpeg: Uint8Array | undefined) => void seen.push(jpeg),
    setMaxSlices: () => undefined,
  };
}

const half = { left: 0, top: 0, width: 0.5, height: 1 };

describe('input of vision requests', () => {
  it.each([
    ['no slices', { slices: 0 }],
    ['ten slices', { slices: 10 }],
    ['half a slice', { slices: 1.5 }],
    ['five frames a second', { rate: { framesPerSecond: 5 } }],
    ['no frames a second', { rate: { framesPerSecond: 0 } }],
    ['no number', { rate: { framesPerSecond: Number.NaN } }],
    ['an area outside', { crop: { ...half, left: 0.6 } }],
    ['an area of nothing', { crop: { ...half, width: 0 } }],
    ['a region without its area', { source: { kind: 'region' } }],
    ['an unknown source', { source: { kind: 'file', path: '/etc/passwd' } }],
    ['an unlimited id', { source: { kind: 'screen', id: 'x'.repeat(513) } }],
    ['additional fields', { audio: true }],
  ])('is rejected for settings with %s', (_what, change) => {
    const { input } = visionRequests.setVisionOptions;
    expect(input.safeParse({ ...defaultVisionOptions, ...change }).success).toBe(false);
    expect(input.safeParse(defaultVisionOptions).success).toBe(true);
  });

  it.each([
    ['a text', 'abc'],
    ['a list of numbers', [255, 216, 255]],
    ['an object that looks like bytes', { 0: 255, length: 1 }],
    ['too many bytes', new Uint8Array(16 * 1024 * 1024 + 1)],
  ])('is rejected for a frame that is %s', (_what, jpeg) => {
    expect(visionRequests.pushFrame.input.safeParse({ jpeg }).success).toBe(false);
  });

  it.each([[{ open: 'microphone' }], [{ open: 'camera', id: 'x' }], [{}], ['camera']])(
    'is rejected for the permission %j',
    (input) => {
      expect(visionRequests.setCapturePermission.input.safeParse(input).success).toBe(false);
    },
  );
});
