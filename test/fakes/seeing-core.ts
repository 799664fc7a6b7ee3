import { answerWith } from '../../electron/ipc/answer.ts';
import { NoticeBoard } from '../../electron/ipc/notice-board.ts';
import type { Shareables } from '../../electron/ports/pictures.ts';
import { createHandlers } from '../../electron/requests.ts';
import { createSeeingHandlers } from '../../electron/seeing-requests.ts';
import { Seeing } from '../../electron/vision/seeing.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeFrames } from './fake-frames.ts';
import { FakeLog } from './fake-log.ts';
import { FakeNativeParts } from './fake-native-parts.ts';
import { noDesks } from './no-desks.ts';
import { noTalk } from './no-talk.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

/** The core as far as seeing goes, with everything outside faked. */
export function seeingCore(shareables?: Shareables) {
  const notices = new NoticeBoard();
  const clock = new FakeClock();
  const posted: Notice[] = [];
  notices.listen((notice) => posted.push(notice));
  const seeing = new Seeing({
    clock,
    frames: new FakeFrames(),
    sent: (frame) => {
      notices.post('frameSent', frame);
    },
    prepared: (frame) => {
      notices.post('framePrepared', frame);
    },
  });
  const handlers = createHandlers({
    about,
    clock,
    nativeParts: new FakeNativeParts({}),
    notices,
    seeing: createSeeingHandlers({ seeing, shareables }),
    talk: noTalk,
    desks: noDesks,
  });
  return { clock, posted, notices, seeing, answer: answerWith(handlers, new FakeLog()) };
}
