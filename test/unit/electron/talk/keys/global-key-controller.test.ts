import { flushPromises } from '../../../../fakes/promises.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInActions } from '../../../../../shared/cursor/cursor-action.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { GlobalKeyController } from '../../../../../electron/talk/keys/global-key-controller.ts';
import type { TalkKeyHolders } from '../../../../../electron/talk/keys/talk-key-holders.ts';
import type { CursorKey } from '../../../../../shared/cursor/quick-view.ts';
import type { GlobalKeyView, TalkKeyEvent } from '../../../../../shared/talk/global-key.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeKeyBackend } from '../../../../fakes/fake-key-backend.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';

let harness: GlobalKeyHarness;

beforeEach(() => {
  harness = new GlobalKeyHarness();
});
afterEach(() => harness.controller.end());

const state = (): unknown => harness.posted.at(-1)?.state;

describe('the global key', () => {
  it('is off by default without a request to a backend', async () => {
    harness.controller.begin();
    await flushPromises();
    expect(state()).toEqual({ kind: 'off' });
    expect([harness.hook, harness.portal, harness.shortcut].flatMap(({ asked }) => asked)).toEqual(
      [],
    );
  });

  it('switches to another chord with the setting, and the first chord is released', async () => {
    await harness.on();
    harness.settings.change({ audio: { inputVolume: 0.5 }, talking: { mode: 'tap' } });
    await flushPromises();
    expect(harness.hook.asked).toEqual(['Control+F8']);
    harness.settings.change({ talking: { globalKey: 'F9' } });
    await flushPromises();
    expect([harness.hook.asked, harness.hook.chord]).toEqual([['Control+F8', 'F9'], 'F9']);
    harness.settings.change({ talking: { everywhere: false } });
    await flushPromises();
    expect([harness.hook.chord, state()]).toEqual([undefined, { kind: 'off' }]);
  });

  it('leaves no listener if it is switched off while a backend is being asked', async () => {
    const ready = harness.hook.hold();
    await harness.on();
    harness.settings.change({ talking: { everywhere: false } });
    await flushPromises();
    expect(harness.hook.withdrawn).toBe(1);
    ready();
    await flushPromises();
    expect([harness.hook.chord, state()]).toEqual([undefined, { kind: 'off' }]);
  });

  it('reports why it is unavailable', async () => {
    for (const each of [harness.hook, harness.portal, harness.shortcut])
      each.refuses = 'globalKeyNowhere';
    await harness.on();
    expect(state()).toEqual({ kind: 'unavailable', error: appError('globalKeyNowhere') });
    harness.shortcut.refuses = undefined;
    await harness.controller.handlers.retryGlobalKey(undefined, new OpenPage());
    expect(state()).toEqual({ kind: 'active', method: 'globalShortcut' });
  });

  it.each<[string, 'globalKeyNoDesktop' | 'globalKeyNowhere', () => void]>([
    [
      'in a host without backends',
      'globalKeyNoDesktop',
      () => void (harness.controller = harness.make([])),
    ],
    ['if no backend is supported', 'globalKeyNowhere', () => void (harness.hook.isOffered = false)],
  ])('is unavailable %s', async (_name, code, arrange) => {
    harness.portal.isOffered = false;
    harness.shortcut.isOffered = false;
    arrange();
    await harness.on();
    expect(state()).toEqual({ kind: 'unavailable', error: appError(code) });
  });
});

describe('the keys of the small window', () => {
  const cursor = { enabled: true, askKey: 'Control+F1', dictateKey: 'Control+F2' } as const;
  const active = (method: string) => ({ kind: 'active', method });
  const states = (): unknown => harness.posted.at(-1)?.cursor;

  async function begin(settings: Parameters<typeof harness.settings.change>[0]): Promise<void> {
    harness.controller.begin();
    harness.settings.change(settings);
    await flushPromises();
  }

  it('watch the keyboard only if Parley needs to know their release', async () => {
    await begin({ cursor });
    expect([harness.shortcut.chord, harness.hook.chord]).toEqual(['Control+F1', 'Control+F2']);
    expect(states()).toEqual({ ask: active('globalShortcut'), dictate: active('uiohook') });
    expect(state()).toEqual({ kind: 'off' });
    harness.shortcut.key('toggle', 'ask');
    harness.hook.key('press', 'dictate');
    expect(harness.cursorKeys).toEqual([
      ['ask', 'toggle'],
      ['dictate', 'press'],
    ]);
    expect(harness.keys).toEqual([]);
  });

  it('are requested from the portal together, with the talk key and the keys of actions', async () => {
    harness.hook.isOffered = false;
    harness.shortcut.isOffered = false;
    const [explain] = builtInActions;
    const actions = explain === undefined ? [] : [{ ...explain, key: 'Control+F3' }];
    await begin({ cursor: { ...cursor, actions }, talking: { everywhere: true, globalKey: 'F8' } });
    expect(harness.portal.asked).toEqual(['F8 Control+F1 Control+F2 Control+F3']);
    expect(harness.portal.actions.at(-1)).toEqual({ id: 'explain', name: '' });
    harness.portal.key('press', 'action-explain');
    expect(harness.cursorKeys).toEqual([[{ action: 'explain' }, 'press']]);
  });

  it('change without releasing a held talk key', async () => {
    await begin({ cursor, talking: { everywhere: true, globalKey: 'F8' } });
    harness.hook.key('press');
    harness.settings.change({ cursor: { askKey: 'Control+F5' } });
    await flushPromises();
    expect(harness.keys).toEqual(['press']);
    expect(harness.shortcut.asked).toEqual(['Control+F1', 'Control+F5']);
    harness.settings.change({ cursor: { enabled: false } });
    await flushPromises();
    expect([harness.shortcut.chord, harness.hook.chord, states()]).toEqual([
      undefined,
      'F8',
      undefined,
    ]);
  });

  it('are reported as unavailable if another program or another key of Parley has the chord', async () => {
    harness.portal.isOffered = false;
    harness.shortcut.taken.add('Control+F1');
    await begin({ cursor: { ...cursor, lookKey: 'Control+F2', dictateKey: 'Control+F2' } });
    expect(states()).toEqual({
      ask: { kind: 'unavailable', error: appError('globalKeyTaken') },
      dictate: active('uiohook'),
      look: { kind: 'unavailable', error: appError('globalKeyTwice') },
    });
  });

  it('pass to the next backend, without the talk key, if the first backend refuses them', async () => {
    harness.hook.taken.add('Control+F2');
    await begin({ cursor, talking: { everywhere: true, globalKey: 'F8' } });
    expect([harness.hook.chord, harness.portal.chord]).toEqual(['F8', 'Control+F2']);
    expect(state()).toEqual(active('uiohook'));
    expect(states()).toMatchObject({ dictate: active('portal') });
  });

  it('are reported as lost when their backend ends, and only those are registered again', async () => {
    await begin({ cursor });
    harness.hook.key('press', 'dictate');
    harness.hook.die();
    expect(harness.cursorKeys.at(-1)).toEqual(['dictate', 'lost']);
    expect(states()).toMatchObject({
      ask: active('globalShortcut'),
      dictate: { kind: 'retrying' },
    });
    harness.clock.advance(500);
    await flushPromises();
    expect(states()).toMatchObject({ dictate: active('uiohook') });
    expect(harness.shortcut.asked).toHaveLength(1);
  });
});

describe('a key event', () => {
  it('reaches the talk, and its kind and time are posted', async () => {
    await harness.on();
    for (const event of ['press', 'release', 'toggle', 'lost'] as const) harness.hook.key(event);
    expect(harness.keys).toEqual(['press', 'release', 'toggle', 'lost']);
    expect(harness.posted.at(-1)?.seen).toEqual({ event: 'lost', at: 1_700_000_000_000 });
    expect(harness.controller.handlers.globalKey(undefined, new OpenPage())).toEqual(
      harness.posted.at(-1),
    );
  });
});

describe('a backend that ends without a request', () => {
  it('loses the key at once, and is retried after growing pauses', async () => {
    await harness.on();
    harness.hook.key('press');
    const pauses: number[] = [];
    for (let times = 1; times < 10; times += 1) {
      harness.hook.die();
      const now = harness.posted.at(-1)?.state;
      if (now?.kind !== 'retrying') throw new Error(`It is ${now?.kind ?? 'nothing'}.`);
      pauses.push(now.inMs);
      harness.clock.advance(now.inMs - 1);
      await flushPromises();
      expect(harness.hook.chord).toBeUndefined();
      harness.clock.advance(1);
      await flushPromises();
      expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
    }
    expect(harness.keys.slice(0, 2)).toEqual(['press', 'lost']);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is given up after ten ends in a row if there is no other backend, until the user retries', async () => {
    harness.controller = harness.make([harness.hook]);
    await harness.on();
    await killed(10);
    const error = appError('globalKeyEnded', { times: 10 });
    expect(state()).toEqual({ kind: 'unavailable', error });
    harness.clock.advance(3_600_000);
    await flushPromises();
    expect(harness.hook.asked).toHaveLength(10);
    await harness.controller.handlers.retryGlobalKey(undefined, new OpenPage());
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
  });

  it('is replaced with the next backend after ten ends in a row', async () => {
    await harness.on();
    await killed(10);
    expect([harness.hook.asked.length, state()]).toEqual([
      10,
      { kind: 'active', method: 'portal' },
    ]);
  });

  it('is not retried after the key was switched off', async () => {
    await harness.on();
    harness.hook.die();
    harness.settings.change({ talking: { everywhere: false } });
    harness.clock.advance(60_000);
    await flushPromises();
    expect([harness.hook.asked.length, state()]).toEqual([1, { kind: 'off' }]);
  });

  it('is not counted as failing if it worked for a minute', async () => {
    harness.controller = harness.make([harness.hook]);
    await harness.on();
    for (let times = 0; times < 30; times += 1) {
      harness.clock.advance(60_000);
      await killed(1);
    }
    expect(harness.hook.asked).toHaveLength(31);
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
  });

  async function killed(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      harness.hook.die();
      const now = harness.posted.at(-1)?.state;
      if (now?.kind === 'retrying') harness.clock.advance(now.inMs);
      await flushPromises();
    }
  }
});

describe('the test of the global key', () => {
  const test = async (
    page: OpenPage,
    meanwhile: () => void,
  ): Promise<Awaited<ReturnType<typeof harness.controller.handlers.testGlobalKey>>> => {
    const testing = harness.controller.handlers.testGlobalKey(undefined, page);
    meanwhile();
    return testing;
  };

  it('reports after how long the key arrived', async () => {
    await harness.on();
    const result = await test(new OpenPage(), () => {
      // A release of an earlier press does not count.
      harness.hook.key('release');
      harness.clock.advance(1200);
      harness.hook.key('press');
    });
    expect(result).toEqual({ arrived: true, ms: 1200 });
  });

  it.each([
    ['after ten seconds', (): void => harness.clock.advance(10_000)],
    ['when the page closes', (page: OpenPage): void => page.gone()],
  ])('gives up %s', async (_name, happens) => {
    await harness.on();
    const page = new OpenPage();
    expect(
      await test(page, () => {
        happens(page);
      }),
    ).toEqual({ arrived: false });
  });
});

/** The global key controller with three fake backends. */
class GlobalKeyHarness {
  readonly clock = new FakeClock();
  readonly hook = new FakeKeyBackend('uiohook');
  readonly portal = new FakeKeyBackend('portal');
  readonly shortcut = new FakeKeyBackend('globalShortcut');
  readonly settings = new SettingsStore({ file: new FakeStateFile(), clock: this.clock });
  readonly posted: GlobalKeyView[] = [];
  readonly keys: string[] = [];
  readonly cursorKeys: (readonly [CursorKey, TalkKeyEvent])[] = [];
  // The list is not in the order of preference.
  controller = this.make([this.shortcut, this.hook, this.portal]);

  make(backends: readonly FakeKeyBackend[]): GlobalKeyController {
    const handle: TalkKeyHolders['handle'] = (_holder, key) => {
      this.keys.push(key);
      return { ok: true, value: undefined };
    };
    return new GlobalKeyController({
      backends,
      settings: this.settings,
      clock: this.clock,
      wallClock: () => 1_700_000_000_000,
      talkKey: { handle },
      onCursorKey: (...key) => this.cursorKeys.push(key),
      post: (_name, payload) => {
        this.posted.push(payload as GlobalKeyView);
      },
    });
  }

  async on(globalKey = 'Control+F8'): Promise<void> {
    this.controller.begin();
    this.settings.change({ talking: { everywhere: true, globalKey } });
    await flushPromises();
  }
}
