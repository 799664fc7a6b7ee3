import { beforeEach, describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { noPage, OpenPage } from '../../../../../shared/ipc/page.ts';
import { Listeners } from '../../../../../shared/listeners.ts';
import type { PushToTalkMode } from '../../../../../shared/talk/talk-state.ts';
import { byPerson } from '../stage.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';

/** A machine whose screen is locked, or that is sent to sleep, when the test says so. */
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
let stage: TalkControllerHarness;
let page: OpenPage;
let other: OpenPage;

beforeEach(() => {
  stage = new TalkControllerHarness({ systemSleep: system });
  page = new OpenPage();
  other = new OpenPage();
});

async function talking(mode: PushToTalkMode): Promise<void> {
  stage.settings.change({ talking: { mode } });
  await stage.live();
}

function key(key: 'press' | 'release' | 'lost' | 'toggle', from = page): void {
  void stage.controller.handlers.talkKey({ key }, from);
}

const open = (): boolean => stage.controller.view.controls.transmitting;
const said = (): readonly string[] => stage.posted('talkTrouble').map(({ code }) => code);

describe('a key that nobody lets go of', () => {
  it.each([
    ['a page that went', () => page.gone(), 'talkKeyLost'],
    ['a screen that was locked', system.lock, 'talkKeyLocked'],
    ['a machine sent to sleep', system.suspend, 'talkKeyLocked'],
    ['a keyboard that went elsewhere', () => key('lost'), 'talkKeyAway'],
    ['three minutes', () => stage.clock.advance(180_000), 'talkKeyHeld'],
  ] as const)('is closed by %s, and that is said', async (_name, happens, code) => {
    await talking('hold');
    key('press');
    expect(open()).toBe(true);
    happens();
    expect([open(), said()]).toEqual([false, [code]]);
    // What comes late of it opens nothing and says nothing more.
    key('release');
    stage.clock.advance(600_000);
    expect([open(), said()]).toEqual([false, [code]]);
  });

  it('says for how long it was held', async () => {
    await talking('hold');
    key('press');
    stage.clock.advance(179_999);
    expect(open()).toBe(true);
    stage.clock.advance(1);
    expect(stage.posted('talkTrouble')).toEqual([appError('talkKeyHeld', { minutes: 3 })]);
  });

  it('that was pressed by a command is closed by the limit, too', async () => {
    await talking('holdOrTap');
    void stage.controller.handlers.talkKey({ key: 'press' }, noPage);
    stage.clock.advance(180_000);
    expect([open(), said()]).toEqual([false, ['talkKeyHeld']]);
  });

  it('is held anew after it was let go of in time', async () => {
    await talking('hold');
    key('press');
    stage.clock.advance(170_000);
    key('release');
    stage.clock.advance(1000);
    key('press');
    stage.clock.advance(170_000);
    expect([open(), said()]).toEqual([true, []]);
    key('release');
    stage.clock.advance(100);
    expect(open()).toBe(false);
  });

  it('of a page that is gone already is closed at once', async () => {
    await talking('hold');
    page.gone();
    key('press');
    expect([open(), said()]).toEqual([false, ['talkKeyLost']]);
  });
});

describe('what was not only held', () => {
  it.each([
    ['open', (): void => undefined],
    ['tap', (): void => key('press')],
    ['tap', (): void => key('toggle')],
    ['holdOrTap', (): void => key('toggle')],
  ] as const)('stays open in %s whatever is locked or gone', async (mode, begin) => {
    await talking(mode);
    begin();
    expect(open()).toBe(true);
    system.lock();
    page.gone();
    stage.clock.advance(600_000);
    expect([open(), said()]).toEqual([true, []]);
  });
});

describe('two who hold it', () => {
  it('do not close it while the other is known to hold it', async () => {
    await talking('hold');
    key('press');
    key('press', other);
    key('lost');
    expect([open(), said()]).toEqual([true, []]);
    other.gone();
    expect([open(), said()]).toEqual([false, ['talkKeyLost']]);
  });

  it('close it with the first release, and the second one does no harm', async () => {
    await talking('holdOrTap');
    key('press');
    key('press', other);
    stage.clock.advance(1000);
    key('release');
    key('release', other);
    stage.clock.advance(1000);
    expect([open(), said()]).toEqual([false, []]);
  });
});

describe('another talk', () => {
  it('knows nothing of who held the key in the one before', async () => {
    await talking('hold');
    key('press');
    stage.session.close(byPerson);
    await stage.live();
    expect(open()).toBe(false);
    key('press', other);
    key('lost', other);
    expect([open(), said()]).toEqual([false, ['talkKeyAway']]);
    page.gone();
    expect(said()).toEqual(['talkKeyAway']);
  });

  it('is not listened for any more once the controller has ended', async () => {
    await talking('hold');
    key('press');
    await ended(stage);
    system.lock();
    page.gone();
    stage.clock.advance(600_000);
    expect(said()).toEqual([]);
  });
});

async function ended({ controller, session }: TalkControllerHarness): Promise<void> {
  const ending = controller.end();
  session.close(byPerson);
  await ending;
}
