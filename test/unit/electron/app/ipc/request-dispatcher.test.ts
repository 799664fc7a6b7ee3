import { describe, expect, it } from 'vitest';
import { createAboutHandlers } from '../../../../../electron/app/app-handlers.ts';
import {
  createRequestDispatcher,
  NoticeBoard,
} from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import type { Notice } from '../../../../../shared/ipc/contract.ts';
import type { VisionHandlers } from '../../../../../shared/ipc/vision-ipc.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { FakeNativeLibraries } from '../../../../fakes/fake-native-libraries.ts';
import { refusingHandlers, idleTalkHandlers } from '../../../../fakes/fake-handlers.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

const noVision: VisionHandlers = {
  setCapturePermission: (permission) => permission,
  setVisionOptions: (settings) => settings,
  pushFrame: () => ({ outcome: 'notWanted' }),
  shareables: () => ({ offered: false, list: [] }),
};

function openCore() {
  const log = new FakeLog();
  const notices = new NoticeBoard();
  const nativeLibraries = new FakeNativeLibraries({
    libvips: { state: 'fails', reason: 'It is broken.' },
  });
  const clock = new FakeClock();
  const handlers = {
    ...refusingHandlers,
    ...idleTalkHandlers,
    ...noVision,
    ...createAboutHandlers({ about, clock, nativeLibraries, notices }),
  };
  const posted: Notice[] = [];
  const stopListening = notices.listen((notice) => posted.push(notice));
  return {
    log,
    handlers,
    posted,
    stopListening,
    answer: createRequestDispatcher(handlers, log, notices),
  };
}

describe('a request', () => {
  it.each([
    ['unknown', 'openTheSafe'],
    ['inherited', 'toString'],
    ['not a text', { toString: (): string => 'about' }],
  ])('is refused if its name is %s', async (_kind, name) => {
    expect(await openCore().answer(name, undefined)).toMatchObject({
      ok: false,
      error: { code: 'unknownRequest' },
    });
  });

  it.each([
    ['missing', undefined],
    ['unknown', { libraries: ['libvips', 'kernel'] }],
    ['too long', { libraries: ['libvips', 'libvips', 'libvips'] }],
    ['too much', { libraries: ['libvips'], extra: 1 }],
    ['hostile', JSON.parse('{"libraries":["libvips"],"__proto__":{"libraries":[]}}') as unknown],
  ])('is refused in one line if its input is %s', async (_kind, input) => {
    const reply = await openCore().answer('checkLibraries', input);
    expect(reply).toMatchObject({ ok: false, error: { code: 'notUnderstood' } });
    expect(JSON.stringify(reply)).not.toContain('\\n');
  });

  it('is answered without a stack if its handler throws, which is logged', async () => {
    const { handlers, log } = openCore();
    const answer = createRequestDispatcher(
      {
        ...handlers,
        about: () => {
          throw new Error('out of paper\n    at somewhere');
        },
      },
      log,
      new NoticeBoard(),
    );
    expect(await answer('about', undefined)).toEqual(
      failure('internalError', { error: 'out of paper' }),
    );
    expect(log.lines).toEqual(['parley error: about failed: out of paper']);
  });
});
