import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUiohookBackend } from '../../../../../electron/platform/keys/uiohook-backend.ts';
import type { ChildProcessListener } from '../../../../../shared/ports/child-process.ts';

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
  it('reports the key until it is stopped, and is then killed', async () => {
    const key = begin();
    key.send({ kind: 'ready' }, press, release, press);
    const stop = await requireStop(key);
    await stop();
    key.send(release, press);
    expect(key.heard).toEqual(['press', 'release', 'press']);
    expect(key.killed).toEqual(['F8']);
  });

  it('loses the key if it crashes while that is down, and reports its end', async () => {
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

  it('watches several keys, refuses unknown ones, and on a crash loses each that is down', async () => {
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

  it('withholds a key from other programs while it runs, if requested', async () => {
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

  it('has no effect by invalid messages', async () => {
    const key = begin();
    key.send({ kind: 'ready' }, null, 'press', {}, { kind: 'key' });
    key.send({ ...press, event: 'lost' }, { ...press, key: 1 }, { kind: 'key', event: 'press' });
    await requireStop(key);
    expect(key.heard).toEqual([]);
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

describe('a key that is held down', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is lost once the helper no longer reports it as held', async () => {
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

  it('is not watched for silence after its release or a stop', async () => {
    const key = begin();
    key.send({ kind: 'ready' }, press, release);
    const stop = await requireStop(key);
    vi.advanceTimersByTime(60_000);
    expect(key.heard).toEqual(['press', 'release']);
    key.send(press);
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
