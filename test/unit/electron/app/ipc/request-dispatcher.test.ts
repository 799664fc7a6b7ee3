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
import { FakeNativeParts } from '../../../../fakes/fake-native-parts.ts';
import { refusingHandlers, idleTalkHandlers } from '../../../../fakes/fake-handlers.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'terminal', runtime: [] } as const;

const noVision: VisionHandlers = {
  setCapturePermission: (door) => door,
  setVisionOptions: (settings) => settings,
  pushFrame: () => ({ outcome: 'notWanted' }),
  shareables: () => ({ offered: false, list: [] }),
};

function core() {
  const log = new FakeLog();
  const notices = new NoticeBoard();
  const nativeParts = new FakeNativeParts({ libvips: { state: 'fails', reason: 'It is broken.' } });
  const clock = new FakeClock();
  const handlers = {
    ...refusingHandlers,
    ...idleTalkHandlers,
    ...noVision,
    ...createAboutHandlers({ about, clock, nativeParts, notices }),
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
  it('is answered with its value', async () => {
    expect(await core().answer('about', undefined)).toEqual({ ok: true, value: about });
  });

  it.each([
    ['unknown', 'openTheSafe'],
    ['inherited', 'toString'],
    ['no text', { toString: (): string => 'about' }],
    ['missing', undefined],
  ])('is refused if its name is %s', async (_kind, name) => {
    expect(await core().answer(name, undefined)).toMatchObject({
      ok: false,
      error: { code: 'unknownRequest' },
    });
  });

  it.each([
    ['missing', undefined],
    ['of the wrong type', { parts: 'libvips' }],
    ['empty', { parts: [] }],
    ['unknown', { parts: ['libvips', 'kernel'] }],
    ['too long', { parts: ['libvips', 'libvips', 'libvips'] }],
    ['too much', { parts: ['libvips'], extra: 1 }],
    ['hostile', JSON.parse('{"parts":["libvips"],"__proto__":{"parts":[]}}') as unknown],
  ])('is refused in one line if its input is %s', async (_kind, input) => {
    const reply = await core().answer('checkParts', input);
    expect(reply).toMatchObject({ ok: false, error: { code: 'notUnderstood' } });
    expect(JSON.stringify(reply)).not.toContain('\\n');
  });

  it('is answered without a stack if its handler throws, which is logged', async () => {
    const { handlers, log } = core();
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

  it('is followed by one notice per part if it is for parts, even for repeated ones', async () => {
    const { answer, posted } = core();
    expect(await answer('checkParts', { parts: ['portaudio', 'portaudio'] })).toEqual({
      ok: true,
      value: { checking: 1 },
    });
    await answer('checkParts', { parts: ['libvips'] });
    await Promise.resolve();
    expect(posted).toEqual([
      {
        name: 'partChecked',
        payload: {
          part: 'portaudio',
          milliseconds: 0,
          state: 'loads',
          detail: 'fake portaudio 1.0.0',
        },
      },
      {
        name: 'partChecked',
        payload: { part: 'libvips', milliseconds: 0, state: 'fails', reason: 'It is broken.' },
      },
    ]);
  });

  it('causes no notices to a listener that has stopped', async () => {
    const { answer, posted, stopListening } = core();
    stopListening();
    await answer('checkParts', { parts: ['libvips'] });
    await Promise.resolve();
    expect(posted).toEqual([]);
  });
});
