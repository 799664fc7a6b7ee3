import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInActions } from '../../../../../shared/cursor/cursor-action.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { GlobalKeyStage } from '../global-key-stage.ts';
import { settled } from '../manual-devices.ts';

let stage: GlobalKeyStage;

beforeEach(() => {
  stage = new GlobalKeyStage();
});
afterEach(() => stage.controller.end());

const state = (): unknown => stage.posted.at(-1)?.state;
const kinds = (): readonly string[] => stage.posted.map((view) => view.state.kind);

describe('the global key', () => {
  it('is off by default without a request to a backend', async () => {
    stage.controller.begin();
    await settled();
    expect(state()).toEqual({ kind: 'off' });
    expect([stage.hook, stage.portal, stage.shortcut].flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('uses the first supported backend that accepts it', async () => {
    stage.hook.isOffered = false;
    stage.portal.refuses = 'globalKeyNowhere';
    await stage.on();
    expect([stage.hook.asked, stage.portal.asked, stage.shortcut.chord]).toEqual([
      [],
      ['Control+F8'],
      'Control+F8',
    ]);
    expect(kinds()).toEqual(['off', 'starting', 'active']);
    expect(state()).toEqual({ kind: 'active', method: 'globalShortcut' });
  });

  it('prefers a backend that reports press and release', async () => {
    await stage.on();
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
    expect([stage.portal.asked, stage.shortcut.asked]).toEqual([[], []]);
  });

  it('switches to another chord, and the first one is released', async () => {
    await stage.on();
    stage.settings.change({ audio: { inputVolume: 0.5 }, talking: { mode: 'tap' } });
    await settled();
    expect(stage.hook.asked).toEqual(['Control+F8']);
    stage.settings.change({ talking: { globalKey: 'F9' } });
    await settled();
    expect([stage.hook.asked, stage.hook.chord]).toEqual([['Control+F8', 'F9'], 'F9']);
    stage.settings.change({ talking: { everywhere: false } });
    await settled();
    expect([stage.hook.chord, state()]).toEqual([undefined, { kind: 'off' }]);
  });

  it('leaves no listener if it is switched off while a backend is being asked', async () => {
    const ready = stage.hook.hold();
    await stage.on();
    stage.settings.change({ talking: { everywhere: false } });
    await settled();
    expect(stage.hook.withdrawn).toBe(1);
    ready();
    await settled();
    expect([stage.hook.chord, state()]).toEqual([undefined, { kind: 'off' }]);
  });

  it('is stopped, not withdrawn, when it is switched off while active', async () => {
    await stage.on();
    stage.settings.change({ talking: { everywhere: false } });
    await settled();
    expect([stage.hook.chord, stage.hook.withdrawn]).toEqual([undefined, 0]);
  });

  it('reports why it is unavailable', async () => {
    for (const each of [stage.hook, stage.portal, stage.shortcut])
      each.refuses = 'globalKeyNowhere';
    await stage.on();
    expect(state()).toEqual({ kind: 'unavailable', error: appError('globalKeyNowhere') });
    stage.shortcut.refuses = undefined;
    await stage.controller.handlers.retryGlobalKey(undefined, new OpenPage());
    expect(state()).toEqual({ kind: 'active', method: 'globalShortcut' });
  });

  it.each<[string, 'globalKeyNoDesktop' | 'globalKeyNowhere', () => void]>([
    [
      'in a host without backends',
      'globalKeyNoDesktop',
      () => void (stage.controller = stage.make([])),
    ],
    ['if no backend is supported', 'globalKeyNowhere', () => void (stage.hook.isOffered = false)],
  ])('is unavailable %s', async (_name, code, arrange) => {
    stage.portal.isOffered = false;
    stage.shortcut.isOffered = false;
    arrange();
    await stage.on();
    expect(state()).toEqual({ kind: 'unavailable', error: appError(code) });
  });

  it('is unavailable without a chord', async () => {
    await stage.on('none');
    expect(state()).toEqual({ kind: 'unavailable', error: appError('globalKeyUnset') });
    expect(stage.hook.asked).toEqual([]);
  });
});

describe('the keys of the small window', () => {
  const cursor = { enabled: true, askKey: 'Control+F1', dictateKey: 'Control+F2' } as const;
  const active = (method: string) => ({ kind: 'active', method });
  const states = (): unknown => stage.posted.at(-1)?.cursor;

  async function begin(settings: Parameters<typeof stage.settings.change>[0]): Promise<void> {
    stage.controller.begin();
    stage.settings.change(settings);
    await settled();
  }

  it('watch the keyboard only if they need their release', async () => {
    await begin({ cursor });
    expect([stage.shortcut.chord, stage.hook.chord]).toEqual(['Control+F1', 'Control+F2']);
    expect(states()).toEqual({ ask: active('globalShortcut'), dictate: active('uiohook') });
    expect(state()).toEqual({ kind: 'off' });
    stage.shortcut.key('toggle', 'ask');
    stage.hook.key('press', 'dictate');
    expect(stage.cursorKeys).toEqual([
      ['ask', 'toggle'],
      ['dictate', 'press'],
    ]);
    expect(stage.keys).toEqual([]);
  });

  it('come to the portal together, with the talk key and the keys of actions', async () => {
    stage.hook.isOffered = false;
    stage.shortcut.isOffered = false;
    const [explain] = builtInActions;
    const actions = explain === undefined ? [] : [{ ...explain, key: 'Control+F3' }];
    await begin({ cursor: { ...cursor, actions }, talking: { everywhere: true, globalKey: 'F8' } });
    expect(stage.portal.asked).toEqual(['F8 Control+F1 Control+F2 Control+F3']);
    expect(stage.portal.actions.at(-1)).toEqual({ id: 'explain', name: '' });
    stage.portal.key('press', 'action-explain');
    expect(stage.cursorKeys).toEqual([[{ action: 'explain' }, 'press']]);
  });

  it('change without releasing a held talk key', async () => {
    await begin({ cursor, talking: { everywhere: true, globalKey: 'F8' } });
    stage.hook.key('press');
    stage.settings.change({ cursor: { askKey: 'Control+F5' } });
    await settled();
    expect(stage.keys).toEqual(['press']);
    expect(stage.shortcut.asked).toEqual(['Control+F1', 'Control+F5']);
    stage.settings.change({ cursor: { enabled: false } });
    await settled();
    expect([stage.shortcut.chord, stage.hook.chord, states()]).toEqual([
      undefined,
      'F8',
      undefined,
    ]);
  });

  it('say which of them another program or another key of Parley has', async () => {
    stage.portal.isOffered = false;
    stage.shortcut.taken.add('Control+F1');
    await begin({ cursor: { ...cursor, lookKey: 'Control+F2', dictateKey: 'Control+F2' } });
    expect(states()).toEqual({
      ask: { kind: 'unavailable', error: appError('globalKeyTaken') },
      dictate: active('uiohook'),
      look: { kind: 'unavailable', error: appError('globalKeyTwice') },
    });
  });

  it('may differ by Shift alone', async () => {
    stage.portal.isOffered = false;
    await begin({ cursor: { ...cursor, lookKey: 'Control+Shift+F1' } });
    expect(states()).toMatchObject({
      ask: active('globalShortcut'),
      look: active('globalShortcut'),
    });
  });

  it('pass to the next backend alone if the first one refuses them', async () => {
    stage.hook.taken.add('Control+F2');
    await begin({ cursor, talking: { everywhere: true, globalKey: 'F8' } });
    expect([stage.hook.chord, stage.portal.chord]).toEqual(['F8', 'Control+F2']);
    expect(state()).toEqual(active('uiohook'));
    expect(states()).toMatchObject({ dictate: active('portal') });
  });

  it('are lost when their backend ends, and only those come back', async () => {
    await begin({ cursor });
    stage.hook.key('press', 'dictate');
    stage.hook.die();
    expect(stage.cursorKeys.at(-1)).toEqual(['dictate', 'lost']);
    expect(states()).toMatchObject({
      ask: active('globalShortcut'),
      dictate: { kind: 'retrying' },
    });
    stage.clock.advance(500);
    await settled();
    expect(states()).toMatchObject({ dictate: active('uiohook') });
    expect(stage.shortcut.asked).toHaveLength(1);
  });
});

describe('a key event', () => {
  it('reaches the talk, and the view shows when', async () => {
    await stage.on();
    for (const event of ['press', 'release', 'toggle', 'lost'] as const) stage.hook.key(event);
    expect(stage.keys).toEqual(['press', 'release', 'toggle', 'lost']);
    expect(stage.posted.at(-1)?.seen).toEqual({ event: 'lost', at: 1_700_000_000_000 });
    expect(stage.controller.handlers.globalKey(undefined, new OpenPage())).toEqual(
      stage.posted.at(-1),
    );
  });

  it('reaches no listener after its chord was switched off, and a held key is lost', async () => {
    await stage.on();
    stage.hook.key('press');
    stage.settings.change({ talking: { everywhere: false } });
    await settled();
    stage.hook.key('release');
    expect(stage.keys).toEqual(['press', 'lost']);
  });
});

describe('a backend that ends without a request', () => {
  it('loses the key at once, and is retried after growing pauses', async () => {
    await stage.on();
    stage.hook.key('press');
    const pauses: number[] = [];
    for (let times = 1; times < 10; times += 1) {
      stage.hook.die();
      const now = stage.posted.at(-1)?.state;
      if (now?.kind !== 'retrying') throw new Error(`It is ${now?.kind ?? 'nothing'}.`);
      pauses.push(now.inMs);
      stage.clock.advance(now.inMs - 1);
      await settled();
      expect(stage.hook.chord).toBeUndefined();
      stage.clock.advance(1);
      await settled();
      expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
    }
    expect(stage.keys.slice(0, 2)).toEqual(['press', 'lost']);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is replaced with the next one after ten ends in a row', async () => {
    await stage.on();
    await killed(10);
    expect([stage.hook.asked.length, state()]).toEqual([10, { kind: 'active', method: 'portal' }]);
  });

  it('is given up after ten ends in a row without another one, until the user retries', async () => {
    stage.controller = stage.make([stage.hook]);
    await stage.on();
    await killed(10);
    const error = appError('globalKeyEnded', { times: 10 });
    expect(state()).toEqual({ kind: 'unavailable', error });
    stage.clock.advance(3_600_000);
    await settled();
    expect(stage.hook.asked).toHaveLength(10);
    await stage.controller.handlers.retryGlobalKey(undefined, new OpenPage());
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
  });

  it('is not counted if it worked for a minute', async () => {
    stage.controller = stage.make([stage.hook]);
    await stage.on();
    for (let times = 0; times < 30; times += 1) {
      stage.clock.advance(60_000);
      await killed(1);
    }
    expect(stage.hook.asked).toHaveLength(31);
    expect(state()).toEqual({ kind: 'active', method: 'uiohook' });
  });

  it('is not retried after the key was switched off', async () => {
    await stage.on();
    stage.hook.die();
    stage.settings.change({ talking: { everywhere: false } });
    stage.clock.advance(60_000);
    await settled();
    expect([stage.hook.asked.length, state()]).toEqual([1, { kind: 'off' }]);
  });

  async function killed(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      stage.hook.die();
      const now = stage.posted.at(-1)?.state;
      if (now?.kind === 'retrying') stage.clock.advance(now.inMs);
      await settled();
    }
  }
});
