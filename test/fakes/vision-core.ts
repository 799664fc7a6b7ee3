import { createAboutHandlers } from '../../electron/app/app-handlers.ts';
import { createRequestDispatcher, NoticeBoard } from '../../electron/app/ipc/request-dispatcher.ts';
import { FramePipeline, createVisionHandlers } from '../../electron/vision/frame-pipeline.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { Shareables } from '../../shared/ports/pictures.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeFrames } from './fake-frames.ts';
import { FakeLog } from './fake-log.ts';
import { FakeNativeLibraries } from './fake-native-libraries.ts';
import { refusingHandlers, idleTalkHandlers } from './fake-handlers.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

/** The part of the core behind vision requests, with fakes outside. */
export function visionCore(shareables?: Shareables) {
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
