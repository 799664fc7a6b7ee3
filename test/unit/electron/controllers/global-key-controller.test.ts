import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GlobalKeyController } from '../../../../electron/controllers/global-key-controller.ts';
import type { TalkKeyHolders } from '../../../../electron/controllers/talk-key-holders.ts';
import { OpenPage } from '../../../../electron/ipc/open-page.ts';
import { createSettingsStore } from '../../../../electron/settings/settings-store.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { GlobalKeyView } from '../../../../shared/talk/global-key-view.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeKeyBackend } from '../../../fakes/fake-key-backend.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { settled } from './manual-devices.ts';

const clock = new FakeClock();
let hook: FakeKeyBackend;
let portal: FakeKeyBackend;
let shortcut: FakeKeyBackend;
let settings: ReturnType<typeof createSettingsStore>;
let posted: GlobalKeyView[];
/** What reached the talk. */
let keys: string[];
let controller: GlobalKeyController;

function make(backends: readonly FakeKeyBackend[]): GlobalKeyController {
  const handle: TalkKeyHolders['handle'] = (_holder, key) => {
    keys.push(key);
    return { ok: true, value: undefined };
  };
  return new GlobalKeyController({
    backends,
    settings,
    clock,
    wallClock: () => 1_700_000_000_000,
    talkKey: { handle },
    post: (_name, payload) => {
      posted.push(payload as GlobalKeyView);
    },
  });
}

beforeEach(() => {
  hook = new FakeKeyBackend('uiohook');
  portal = new FakeKeyBackend('portal');
  shortcut = new FakeKeyBackend('globalShortcut');
  settings = createSettingsStore({ file: new FakeStateFile(), clock });
  posted = [];
  keys = [];
  // In another order than they are tried in.
  controller = make([shortcut, hook, portal]);
});
afterEach(() => controller.end());

async function on(globalKey = 'Control+F8'): Promise<void> {
  controller.begin();
  settings.change({ talking: { everywhere: true, globalKey } });
  await settled();
}

const state = (): unknown => posted.at(-1)?.state;
const kinds = (): readonly string[] => posted.map((view) => view.state.kind);

describe('the key that works everywhere', () => {
  it('is off until somebody wants it: nobody is asked for anything', async () => {
    controller.begin();
    await settled();
    expect(state()).toEqual({ kind: 'off' });
    expect([hook, portal, shortcut].flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('is heard by the first that is offered and takes it', async () => {
    hook.isOffered = false;
    portal.refuses = 'globalKeyNowhere';
    await on();
    expect([hook.asked, portal.asked, shortcut.chord]).toEqual([[], ['Control+F8'], 'Control+F8']);
    expect(kinds()).toEqual(['off', 'starting', 'active']);
    expect(state()).toEqual({ kind: 'active', method: 'globalShortcut' });
  });

  it('prefers who knows both ends of it', async () => {
    await on();
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
    expect([portal.asked, shortcut.asked]).toEqual([[], []]);
  });

  it('is another one as soon as another is set, and nobody listens for the first any more', async () => {
    await on();
    settings.change({ audio: { inputVolume: 0.5 }, talking: { mode: 'tap' } });
    await settled();
    expect(hook.asked).toEqual(['Control+F8']);
    settings.change({ talking: { globalKey: 'F9' } });
    await settled();
    expect([hook.asked, hook.chord]).toEqual([['Control+F8', 'F9'], 'F9']);
    settings.change({ talking: { everywhere: false } });
    await settled();
    expect([hook.chord, state()]).toEqual([undefined, { kind: 'off' }]);
  });

  it('that is set while the one before is still being asked for leaves nobody listening', async () => {
    const ready = hook.hold();
    await on();
    settings.change({ talking: { everywhere: false } });
    await settled();
    expect(hook.withdrawn).toBe(1);
    ready();
    await settled();
    expect([hook.chord, state()]).toEqual([undefined, { kind: 'off' }]);
  });

  it('that is heard is stopped, and not withdrawn, when it is switched off', async () => {
    await on();
    settings.change({ talking: { everywhere: false } });
    await settled();
    expect([hook.chord, hook.withdrawn]).toEqual([undefined, 0]);
  });

  it('says why it cannot be had', async () => {
    for (const each of [hook, portal, shortcut]) each.refuses = 'globalKeyNowhere';
    await on();
    expect(state()).toEqual({ kind: 'unavailable', error: appError('globalKeyNowhere') });
    shortcut.refuses = undefined;
    await controller.handlers.retryGlobalKey(undefined, new OpenPage());
    expect(state()).toEqual({ kind: 'active', method: 'globalShortcut' });
  });

  it.each<[string, 'globalKeyNoDesktop' | 'globalKeyNowhere', () => void]>([
    ['in a host that has none', 'globalKeyNoDesktop', () => void (controller = make([]))],
    ['where none is offered', 'globalKeyNowhere', () => void (hook.isOffered = false)],
  ])('is unavailable %s', async (_name, code, arrange) => {
    portal.isOffered = false;
    shortcut.isOffered = false;
    arrange();
    await on();
    expect(state()).toEqual({ kind: 'unavailable', error: appError(code) });
  });

  it('is unavailable without a key', async () => {
    await on('none');
    expect(state()).toEqual({ kind: 'unavailable', error: appError('globalKeyUnset') });
    expect(hook.asked).toEqual([]);
  });
});

describe('what is heard', () => {
  it('reaches the talk, and when it was heard is shown', async () => {
    await on();
    for (const event of ['press', 'release', 'toggle', 'lost'] as const) hook.key(event);
    expect(keys).toEqual(['press', 'release', 'toggle', 'lost']);
    expect(posted.at(-1)?.seen).toEqual({ event: 'lost', at: 1_700_000_000_000 });
    expect(controller.handlers.globalKey(undefined, new OpenPage())).toEqual(posted.at(-1));
  });

  it('of a key that is no longer set reaches nobody; what was held is lost', async () => {
    await on();
    hook.key('press');
    settings.change({ talking: { everywhere: false } });
    await settled();
    hook.key('release');
    expect(keys).toEqual(['press', 'lost']);
  });
});

describe('a backend that ends by itself', () => {
  it('loses the key at once, and is asked again after growing pauses', async () => {
    await on();
    hook.key('press');
    const pauses: number[] = [];
    for (let times = 1; times < 10; times += 1) {
      hook.die();
      const now = posted.at(-1)?.state;
      if (now?.kind !== 'retrying') throw new Error(`It is ${now?.kind ?? 'nothing'}.`);
      pauses.push(now.inMs);
      clock.advance(now.inMs - 1);
      await settled();
      expect(hook.chord).toBeUndefined();
      clock.advance(1);
      await settled();
      expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
    }
    expect(keys.slice(0, 2)).toEqual(['press', 'lost']);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('ten times in a row gives its place to the next', async () => {
    await on();
    await killed(10);
    expect([hook.asked.length, state()]).toEqual([10, { kind: 'active', method: 'portal' }]);
  });

  it('ten times in a row, and nobody else is there: it is given up, until it is wanted again', async () => {
    controller = make([hook]);
    await on();
    await killed(10);
    const error = appError('globalKeyEnded', { times: 10 });
    expect(state()).toEqual({ kind: 'unavailable', error });
    clock.advance(3_600_000);
    await settled();
    expect(hook.asked).toHaveLength(10);
    await controller.handlers.retryGlobalKey(undefined, new OpenPage());
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
  });

  it('after it worked for a minute is no end in a row', async () => {
    controller = make([hook]);
    await on();
    for (let times = 0; times < 30; times += 1) {
      clock.advance(60_000);
      await killed(1);
    }
    expect(hook.asked).toHaveLength(31);
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
  });

  it('is not asked again when the key was switched off meanwhile', async () => {
    await on();
    hook.die();
    settings.change({ talking: { everywhere: false } });
    clock.advance(60_000);
    await settled();
    expect([hook.asked.length, state()]).toEqual([1, { kind: 'off' }]);
  });

  async function killed(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      hook.die();
      const now = posted.at(-1)?.state;
      if (now?.kind === 'retrying') clock.advance(now.inMs);
      await settled();
    }
  }
});

describe('the test of the key', () => {
  const test = async (
    page: OpenPage,
    meanwhile: () => void,
  ): Promise<Awaited<ReturnType<typeof controller.handlers.testGlobalKey>>> => {
    const testing = controller.handlers.testGlobalKey(undefined, page);
    meanwhile();
    return testing;
  };

  it('says after how long it arrived', async () => {
    await on();
    const result = await test(new OpenPage(), () => {
      // The end of a press that began before is none.
      hook.key('release');
      clock.advance(1200);
      hook.key('press');
    });
    expect(result).toEqual({ arrived: true, ms: 1200 });
  });

  it.each([
    ['after ten seconds', (): void => clock.advance(10_000)],
    ['when the page goes', (page: OpenPage): void => page.gone()],
  ])('gives up %s', async (_name, happens) => {
    await on();
    const page = new OpenPage();
    expect(
      await test(page, () => {
        happens(page);
      }),
    ).toEqual({ arrived: false });
  });
});
