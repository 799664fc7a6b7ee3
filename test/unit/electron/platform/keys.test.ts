import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ChordWatch } from '../../../../electron/platform/keys/chord-watch.ts';
import { portalTrigger } from '../../../../electron/platform/keys/portal-backend.ts';
import { createUiohookBackend } from '../../../../electron/platform/keys/uiohook-backend.ts';
import { uiohookKeyToCode } from '../../../../electron/platform/keys/uiohook-codes.ts';
import type { ChildProcessListener } from '../../../../shared/ports/child-process.ts';

/** The events that a watch reports for these key moves: `+` for down, `-` for up. */
function eventsFor(chords: string, ...moves: readonly string[]): readonly string[] {
  const watch = new ChordWatch(chords.split(','));
  const named = (event: string, index: number): string =>
    index === 0 ? event : `${event} ${index}`;
  const held = new Set<string>();
  const down = (name: string): boolean => [...held].some((code) => code.startsWith(name));
  return moves.flatMap((move) => {
    const code = move.slice(1);
    if (move.startsWith('-')) {
      held.delete(code);
      return watch.keyUp(code).map((index) => named('release', index));
    }
    held.add(code);
    const stroke = {
      ctrlKey: down('Control'),
      altKey: down('Alt'),
      shiftKey: down('Shift'),
      metaKey: down('Meta'),
    };
    const pressed = watch.keyDown({ code, ...stroke });
    return pressed === undefined ? [] : named('press', pressed);
  });
}

describe('ChordWatch', () => {
  it('reports one press despite key repeat, and one release', () => {
    expect(eventsFor('F8', '+F8', '+F8', '+F8', '-F8', '-F8')).toEqual(['press', 'release']);
  });

  it('reports one release when the first part of a chord comes up', () => {
    const press = ['+ControlRight', '+KeyT'];
    expect(eventsFor('Control+KeyT', ...press, '-KeyT', '-ControlRight')).toEqual([
      'press',
      'release',
    ]);
    expect(eventsFor('Control+KeyT', ...press, '-ControlRight', '-KeyT', '+KeyT')).toEqual([
      'press',
      'release',
    ]);
  });

  it('watches several chords, and prefers one with Shift while Shift is down', () => {
    const chords = 'Control+Space,Control+Shift+Space,F8';
    const shifted = ['+ControlLeft', '+ShiftLeft', '+Space', '+Space', '-Space', '-ShiftLeft'];
    expect(eventsFor(chords, ...shifted, '+Space', '-ControlLeft')).toEqual([
      'press 1',
      'release 1',
      'press',
      'release',
    ]);
    expect(eventsFor(chords, '+F8', '+ControlLeft', '+Space', '-F8', '-Space')).toEqual([
      'press 2',
      'press',
      'release 2',
      'release',
    ]);
  });
});

it.each([
  ['Control+Alt+KeyT', 'CTRL+ALT+t'],
  ['Shift+F12', 'SHIFT+F12'],
  ['Numpad7', 'KP_7'],
  ['ControlRight', 'Control_R'],
  ['Backquote', 'grave'],
  ['MediaPlayPause', 'XF86AudioPlay'],
])('the chord %s is the trigger %s of a portal', (chord, trigger) => {
  expect(portalTrigger(chord)).toBe(trigger);
});

const press = { kind: 'key', key: 0, event: 'press' };
const release = { kind: 'key', key: 0, event: 'release' };

/** Listens to chords, with the test as the helper process. */
function begin(...chords: readonly string[]) {
  const wanted = chords.length === 0 ? ['F8'] : chords;
  const heard: string[] = [];
  const killed: string[] = [];
  const asked: string[] = [];
  const withheld: string[] = [];
  let helper: ChildProcessListener | undefined;
  const backend = createUiohookBackend(
    (chordList) => (events) => {
      asked.push(chordList);
      helper = events;
      return {
        post: () => undefined,
        kill: () => {
          killed.push(chordList);
          events.onEnd('');
        },
      };
    },
    { platform: 'linux', environment: { DISPLAY: ':0' } },
    (chord) => {
      withheld.push(chord);
      return Promise.resolve(() => void withheld.splice(withheld.indexOf(chord), 1));
    },
  );
  const outcome = backend.listen(
    wanted.map((chord) => ({ id: chord, chord, isWithheld: chord === 'F9' })),
    (id, event) => heard.push(id === wanted[0] ? event : `${event} ${id}`),
    () => heard.push('ended'),
  );
  return {
    heard,
    killed,
    asked,
    withheld,
    outcome,
    send: (...messages: readonly unknown[]) => {
      for (const message of messages) helper?.onMessage(message);
    },
    exit: () => helper?.onEnd(''),
    started: () => helper !== undefined,
  };
}

async function requireStop({ outcome }: ReturnType<typeof begin>): Promise<() => Promise<void>> {
  const begun = await outcome;
  if (!begun.ok) throw new Error(begun.error.code);
  return begun.value.stop;
}

describe('the key helper', () => {
  it('reports the key until it is stopped, and then the helper is killed', async () => {
    const key = begin();
    key.send({ kind: 'ready' }, press, release, press);
    const stop = await requireStop(key);
    await stop();
    key.send(release, press);
    expect(key.heard).toEqual(['press', 'release', 'press']);
    expect(key.killed).toEqual(['F8']);
  });

  it('reports the key as lost if the helper crashes while the key is down, and reports the helper’s end', async () => {
    const down = begin();
    down.send({ kind: 'ready' }, press);
    await requireStop(down);
    down.exit();
    down.send(release);
    expect(down.heard).toEqual(['press', 'lost', 'ended']);
    const up = begin();
    up.send({ kind: 'ready' }, press, release);
    await requireStop(up);
    up.exit();
    expect(up.heard).toEqual(['press', 'release', 'ended']);
  });

  it('watches several keys, refuses unknown ones, and on a crash reports each key that is down as lost', async () => {
    const key = begin('F8', 'BrowserBack', 'Control+KeyT');
    const other = { ...press, key: 1 };
    key.send({ kind: 'ready' }, press, other, release);
    const begun = await key.outcome;
    expect(begun.ok && [...begun.value.refused.keys()]).toEqual(['BrowserBack']);
    key.exit();
    expect(key.heard).toEqual([
      'press',
      'press Control+KeyT',
      'release',
      'lost Control+KeyT',
      'ended',
    ]);
    expect(key.asked).toEqual(['F8,Control+KeyT']);
  });

  it('withholds a key from other programs, if requested, while the helper runs', async () => {
    const stopped = begin('F8', 'F9');
    stopped.send({ kind: 'ready' });
    const stop = await requireStop(stopped);
    expect(stopped.withheld).toEqual(['F9']);
    await stop();
    expect(stopped.withheld).toEqual([]);
    const crashed = begin('F8', 'F9');
    crashed.send({ kind: 'ready' });
    await requireStop(crashed);
    crashed.exit();
    expect(crashed.withheld).toEqual([]);
    const failed = begin('F9');
    failed.send({ kind: 'failed', code: '', reason: '' });
    await failed.outcome;
    expect(failed.withheld).toEqual([]);
  });

  it.each([
    ['UIOHOOK_ERROR_AXAPI_DISABLED', 'globalKeyForbidden'],
    ['UIOHOOK_FAILURE', 'globalKeyHelperFailed'],
    ['', 'globalKeyHelperFailed'],
  ])('is refused if it reports that it cannot watch (%s)', async (code, refused) => {
    const key = begin();
    key.send({ kind: 'failed', code, reason: 'no libXtst' });
    const detail = expect.stringContaining('no libXtst') as unknown;
    expect(await key.outcome).toMatchObject({ ok: false, error: { code: refused, detail } });
    expect(key.killed).toEqual(['F8']);
    expect(key.heard).toEqual([]);
  });
});

describe('a key that is held down', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('is lost after the helper has stopped reporting it as held', async () => {
    const key = begin();
    key.send({ kind: 'ready' }, press);
    await requireStop(key);
    for (let times = 0; times < 100; times += 1) {
      vi.advanceTimersByTime(300);
      key.send({ ...press, event: 'held' });
    }
    expect(key.heard).toEqual(['press']);
    vi.advanceTimersByTime(3_000);
    expect(key.heard).toEqual(['press', 'lost', 'ended']);
    expect(key.killed).toEqual(['F8']);
  });
});

it.each<[NodeJS.Platform, Readonly<Record<string, string>>, boolean]>([
  ['linux', { DISPLAY: ':0', WAYLAND_DISPLAY: '' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
  ['linux', { DISPLAY: '' }, false],
  ['linux', { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' }, false],
  ['linux', { DISPLAY: ':0', XDG_SESSION_TYPE: 'wayland' }, false],
  ['freebsd', { DISPLAY: ':0' }, false],
])('the uiohook backend is offered on %s with %j: %s', (platform, environment, isOffered) => {
  expect(createUiohookBackend(vi.fn(), { platform, environment }).isSupported()).toBe(isOffered);
});

/** Names of the library that differ from those of keyboard events. */
const otherNames: Readonly<Record<string, string>> = {
  Ctrl: 'ControlLeft',
  CtrlRight: 'ControlRight',
  Alt: 'AltLeft',
  Shift: 'ShiftLeft',
  Meta: 'MetaLeft',
  NumpadEnd: 'Numpad1',
  NumpadArrowDown: 'Numpad2',
  NumpadPageDown: 'Numpad3',
  NumpadArrowLeft: 'Numpad4',
  NumpadArrowRight: 'Numpad6',
  NumpadHome: 'Numpad7',
  NumpadArrowUp: 'Numpad8',
  NumpadPageUp: 'Numpad9',
  NumpadInsert: 'Numpad0',
  NumpadDelete: 'NumpadDecimal',
};

// Read as text, because loading needs an X display.
const declared = readFileSync('node_modules/uiohook-napi/dist/index.d.ts', 'utf8');

it('every key of the library has the code of its keyboard event', () => {
  const keys = /UiohookKey: \{([^}]+)\}/.exec(declared)?.[1] ?? '';
  const named = [...keys.matchAll(/readonly (\w+): (\d+);/g)].map(([, name = '', key]) => {
    const letter = /^[A-Z]$/.test(name) ? `Key${name}` : undefined;
    const digit = /^\d$/.test(name) ? `Digit${name}` : undefined;
    return [Number(key), letter ?? digit ?? otherNames[name] ?? name] as const;
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.map(([key]) => uiohookKeyToCode(key))).toEqual(named.map(([, code]) => code));
});
