import { beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { noPage, OpenPage } from '../../../../../shared/ipc/page.ts';
import { Listeners } from '../../../../../shared/listeners.ts';
import type { PushToTalkMode } from '../../../../../shared/talk/talk-state.ts';
import { endedByUser } from '../conversation-harness.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';

/** A system whose screen lock and sleep the test controls. */
class LockableSystem {
  readonly #locks = new Listeners<undefined>();
  readonly #suspends = new Listeners<undefined>();
  readonly onResume = (): (() => void) => () => undefined;
  readonly onLock = (locked: () => void): (() => void) => this.#locks.add(locked);
  readonly onSuspend = (suspends: () => void): (() => void) => this.#suspends.add(suspends);
  readonly lock = (): void => {
    this.#locks.emit(undefined);
  };
  readonly suspend = (): void => {
    this.#suspends.emit(undefined);
  };
}

const system = new LockableSystem();
let harness: TalkControllerHarness;
let page: OpenPage;
let other: OpenPage;

beforeEach(() => {
  harness = new TalkControllerHarness({ systemSleep: system });
  page = new OpenPage();
  other = new OpenPage();
});

async function talking(mode: PushToTalkMode): Promise<void> {
  harness.settings.change({ talking: { mode } });
  await harness.live();
}

function key(key: 'press' | 'release' | 'lost' | 'toggle', from = page): void {
  void harness.controller.handlers.talkKey({ key }, from);
}

const open = (): boolean => harness.controller.view.controls.transmitting;
const troubleCodes = (): readonly string[] => harness.posted('talkTrouble').map(({ code }) => code);

describe('a key that is not released', () => {
  it.each([
    ['a page that closes', () => page.gone(), 'talkKeyLost'],
    ['a locked screen', system.lock, 'talkKeyLocked'],
    ['a machine that goes to sleep', system.suspend, 'talkKeyLocked'],
    ['a lost keyboard focus', () => key('lost'), 'talkKeyAway'],
    ['three minutes', () => harness.clock.advance(180_000), 'talkKeyHeld'],
  ] as const)('is closed by %s, and the user learns of it', async (_name, happens, code) => {
    await talking('hold');
    key('press');
    expect(open()).toBe(true);
    happens();
    expect([open(), troubleCodes()]).toEqual([false, [code]]);
    // A late release changes nothing.
    key('release');
    harness.clock.advance(600_000);
    expect([open(), troubleCodes()]).toEqual([false, [code]]);
  });

  it('reports for how long it was held', async () => {
    await talking('hold');
    key('press');
    harness.clock.advance(179_999);
    expect(open()).toBe(true);
    harness.clock.advance(1);
    expect(harness.posted('talkTrouble')).toEqual([appError('talkKeyHeld', { minutes: 3 })]);
  });

  it('is closed by the time limit also if a command pressed it', async () => {
    await talking('holdOrTap');
    void harness.controller.handlers.talkKey({ key: 'press' }, noPage);
    harness.clock.advance(180_000);
    expect([open(), troubleCodes()]).toEqual([false, ['talkKeyHeld']]);
  });

  it('starts a new time limit after a release', async () => {
    await talking('hold');
    key('press');
    harness.clock.advance(170_000);
    key('release');
    harness.clock.advance(1000);
    key('press');
    harness.clock.advance(170_000);
    expect([open(), troubleCodes()]).toEqual([true, []]);
    key('release');
    harness.clock.advance(100);
    expect(open()).toBe(false);
  });

  it('is closed by its page in holdOrTap mode, too', async () => {
    await talking('holdOrTap');
    key('press');
    page.gone();
    expect(open()).toBe(false);
  });

  it('stays open if the page that closes has released it before', async () => {
    await talking('hold');
    key('press');
    key('release');
    harness.clock.advance(100);
    void harness.controller.handlers.talkKey({ key: 'press' }, noPage);
    page.gone();
    expect(open()).toBe(true);
  });

  it('is closed at once if its page is gone already', async () => {
    await talking('hold');
    page.gone();
    key('press');
    expect([open(), troubleCodes()]).toEqual([false, ['talkKeyLost']]);
  });
});

describe('a microphone that is open without a held key', () => {
  it.each([
    ['open', (): void => undefined],
    ['tap', (): void => key('press')],
    ['tap', (): void => key('toggle')],
    ['holdOrTap', (): void => key('toggle')],
  ] as const)(
    'stays open in %s although the screen locks or the page closes',
    async (mode, begin) => {
      await talking(mode);
      begin();
      expect(open()).toBe(true);
      system.lock();
      page.gone();
      harness.clock.advance(600_000);
      expect([open(), troubleCodes()]).toEqual([true, []]);
    },
  );
});

describe('two holders of the key', () => {
  it('keep it open while one of them is known to hold it', async () => {
    await talking('hold');
    key('press');
    key('press', other);
    key('lost');
    expect([open(), troubleCodes()]).toEqual([true, []]);
    other.gone();
    expect([open(), troubleCodes()]).toEqual([false, ['talkKeyLost']]);
  });

  it('close it with the first release, and the second release has no effect', async () => {
    await talking('holdOrTap');
    key('press');
    key('press', other);
    harness.clock.advance(1000);
    key('release');
    key('release', other);
    harness.clock.advance(1000);
    expect([open(), troubleCodes()]).toEqual([false, []]);
  });
});

describe('the next talk', () => {
  it('does not inherit holders from the talk before', async () => {
    await talking('hold');
    key('press');
    harness.session.close(endedByUser);
    await harness.live();
    expect(open()).toBe(false);
    key('press', other);
    key('lost', other);
    expect([open(), troubleCodes()]).toEqual([false, ['talkKeyAway']]);
    page.gone();
    expect(troubleCodes()).toEqual(['talkKeyAway']);
  });

  it('gets no key events after the controller has ended', async () => {
    await talking('hold');
    key('press');
    await ended(harness);
    system.lock();
    page.gone();
    harness.clock.advance(600_000);
    expect(troubleCodes()).toEqual([]);
  });
});

async function ended({ controller, session }: TalkControllerHarness): Promise<void> {
  const ending = controller.end();
  session.close(endedByUser);
  await ending;
}
