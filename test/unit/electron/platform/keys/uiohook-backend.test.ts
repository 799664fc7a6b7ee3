import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUiohookBackend } from '../../../../../electron/platform/keys/uiohook-backend.ts';
import type { ChildProcessListener } from '../../../../../shared/ports/child-process.ts';

const press = { kind: 'key', key: 0, event: 'press' };
const release = { kind: 'key', key: 0, event: 'release' };

/** Requests a key from a helper that the test plays. */
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
    say: (...messages: readonly unknown[]) => {
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
  it('reports the key until it is stopped, and then ends', async () => {
    const key = begin();
    key.say({ kind: 'ready' }, press, release, press);
    const stop = await requireStop(key);
    await stop();
    key.say(release, press);
    expect(key.heard).toEqual(['press', 'release', 'press']);
    expect(key.killed).toEqual(['F8']);
  });

  it('reports a lost key if it crashes while the key is down, and only its end otherwise', async () => {
    const down = begin();
    down.say({ kind: 'ready' }, press);
    await requireStop(down);
    down.exit();
    down.say(release);
    expect(down.heard).toEqual(['press', 'lost', 'ended']);
    const up = begin();
    up.say({ kind: 'ready' }, press, release);
    await requireStop(up);
    up.exit();
    expect(up.heard).toEqual(['press', 'release', 'ended']);
  });

  it('serves several keys, refuses unknown ones, and loses each that is down', async () => {
    const key = begin('F8', 'BrowserBack', 'Control+KeyT');
    const other = { ...press, key: 1 };
    key.say({ kind: 'ready' }, press, other, release);
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

  it('keeps a key from other programs while it runs, if requested', async () => {
    const stopped = begin('F8', 'F9');
    stopped.say({ kind: 'ready' });
    const stop = await requireStop(stopped);
    expect(stopped.withheld).toEqual(['F9']);
    await stop();
    expect(stopped.withheld).toEqual([]);
    const crashed = begin('F8', 'F9');
    crashed.say({ kind: 'ready' });
    await requireStop(crashed);
    crashed.exit();
    expect(crashed.withheld).toEqual([]);
    const failed = begin('F9');
    failed.say({ kind: 'failed', code: '', reason: '' });
    await failed.outcome;
    expect(failed.withheld).toEqual([]);
  });

  it('is ignored if its messages are invalid', async () => {
    const key = begin();
    key.say({ kind: 'ready' }, null, 'press', {}, { kind: 'key' });
    key.say({ ...press, event: 'lost' }, { ...press, key: 1 }, { kind: 'key', event: 'press' });
    await requireStop(key);
    expect(key.heard).toEqual([]);
  });

  it.each([
    ['UIOHOOK_ERROR_AXAPI_DISABLED', 'globalKeyForbidden'],
    ['UIOHOOK_FAILURE', 'globalKeyHelperFailed'],
    ['', 'globalKeyHelperFailed'],
  ])('is refused if it reports that it cannot watch (%s)', async (code, refused) => {
    const key = begin();
    key.say({ kind: 'failed', code, reason: 'no libXtst' });
    const detail = expect.stringContaining('no libXtst') as unknown;
    expect(await key.outcome).toMatchObject({ ok: false, error: { code: refused, detail } });
    expect(key.killed).toEqual(['F8']);
    expect(key.heard).toEqual([]);
  });

  it('is refused if it ends before it watches', async () => {
    const key = begin();
    key.exit();
    expect(await key.outcome).toMatchObject({ error: { code: 'globalKeyHelperFailed' } });
    expect(key.heard).toEqual([]);
  });

  it('is not started for a key that the library does not know', async () => {
    const key = begin('BrowserBack');
    expect(await key.outcome).toMatchObject({ error: { code: 'globalKeyUnknown' } });
    expect(key.started()).toBe(false);
  });
});

describe('a key held down', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('may stay down while the helper reports it, and is lost when the helper is silent', async () => {
    const key = begin();
    key.say({ kind: 'ready' }, press);
    await requireStop(key);
    for (let times = 0; times < 100; times += 1) {
      vi.advanceTimersByTime(300);
      key.say({ ...press, event: 'held' });
    }
    expect(key.heard).toEqual(['press']);
    vi.advanceTimersByTime(3_000);
    expect(key.heard).toEqual(['press', 'lost', 'ended']);
    expect(key.killed).toEqual(['F8']);
  });

  it('is no longer checked after its release or a stop', async () => {
    const key = begin();
    key.say({ kind: 'ready' }, press, release);
    const stop = await requireStop(key);
    vi.advanceTimersByTime(60_000);
    expect(key.heard).toEqual(['press', 'release']);
    key.say(press);
    await stop();
    vi.advanceTimersByTime(60_000);
    expect(key.heard).toEqual(['press', 'release', 'press']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the uiohook backend', () => {
  const offered = (platform: NodeJS.Platform, environment: Readonly<Record<string, string>>) =>
    createUiohookBackend(vi.fn(), { platform, environment }).isSupported();

  it('is offered on X, macOS and Windows', () => {
    expect(offered('linux', { DISPLAY: ':0', WAYLAND_DISPLAY: '' })).toBe(true);
    expect(offered('darwin', {})).toBe(true);
    expect(offered('win32', {})).toBe(true);
  });

  it('is not offered without a display or under Wayland', () => {
    expect(offered('linux', {})).toBe(false);
    expect(offered('linux', { DISPLAY: '' })).toBe(false);
    expect(offered('linux', { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' })).toBe(false);
    expect(offered('linux', { DISPLAY: ':0', XDG_SESSION_TYPE: 'wayland' })).toBe(false);
    expect(offered('freebsd', { DISPLAY: ':0' })).toBe(false);
  });
});
