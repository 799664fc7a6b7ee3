import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppContext } from '../../../renderer/app/app-context.ts';
import { NoticePace, orderReplies } from '../../../renderer/app/bridge/ordered-bridge.ts';
import { failure } from '../../../shared/errors/app-error.ts';
import { packMessage } from '../../../shared/ipc/binary-message.ts';
import type { Notice, RequestName, SnapshotName } from '../../../shared/ipc/contract.ts';
import type { Reply } from '../../../shared/ipc/bridge.ts';
import { successReply, fakeBridge, fakeCapture } from '../../fakes/fake-bridge.ts';
import { changeSettings } from '../../../shared/settings/read-settings.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { createSocketBridge, hostAddress } from '../../../renderer/app/bridge/socket-bridge.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function inLanguage(language: 'en' | 'zh') {
  const changed = changeSettings(defaultSettings, { appearance: { language } });
  if (!changed.ok) throw new Error(changed.error.code);
  return redactSettings(changed.value);
}

const settingsNotice = (language: 'en' | 'zh'): Notice => ({
  name: 'settingsChanged',
  payload: inLanguage(language),
});

/** A core whose replies the test releases. */
function slowCore() {
  const { bridge, notice, noticeAt, connection } = fakeBridge();
  const waiting: { name: RequestName; answer: (reply: Reply<never>) => void }[] = [];
  const slow = {
    ...bridge,
    request: ((name) =>
      new Promise((resolve) => {
        waiting.push({ name, answer: resolve });
      })) as typeof bridge.request,
  };
  const answer = async (at: number, reply: Reply<unknown>): Promise<void> => {
    const [one] = waiting.splice(at, 1);
    one?.answer(reply as Reply<never>);
    await settle();
  };
  return {
    bridge: slow,
    notice,
    noticeAt,
    connection,
    asked: (name: RequestName) => waiting.filter((one) => one.name === name),
    reply: (name: RequestName, reply: Reply<unknown>) =>
      answer(
        waiting.findIndex((one) => one.name === name),
        reply,
      ),
    replyLast: (name: RequestName, reply: Reply<unknown>) =>
      answer(
        waiting.findLastIndex((one) => one.name === name),
        reply,
      ),
  };
}

/** Reads over this core and logs replies and notices in order of arrival. */
function reader() {
  const core = slowCore();
  const ordered = orderReplies(core.bridge);
  const seen: unknown[] = [];
  ordered.onNotice(({ name }, revision) => seen.push(`${name} ${revision}`));
  const read = (name: SnapshotName) => ordered.read(name, (value) => seen.push(value));
  return { core, ordered, seen, read };
}

describe('a snapshot', () => {
  // A setting can change while the page waits for its first settings; the older reply must not undo the change.
  it('does not overwrite newer notices', async () => {
    const core = slowCore();
    const { store } = createAppContext({
      bridge: core.bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    core.notice(settingsNotice('zh'));
    await core.reply('settings', successReply({ settings: inLanguage('en'), problems: [] }, 0));
    expect(store.getState().settings?.appearance.language).toBe('zh');
    expect(core.asked('settings')).toEqual([]);
  });

  it('replaces notices from before it, even if they arrive later', async () => {
    const { core, read, seen } = reader();
    void read('settings');
    core.notice(settingsNotice('zh'));
    await core.reply('settings', successReply('made after one', 1));
    core.noticeAt(settingsNotice('zh'), 1);
    core.noticeAt(settingsNotice('en'), 2);
    expect(seen).toEqual(['made after one', 'settingsChanged 2']);
  });

  it('is followed by newer notices in order', async () => {
    const { core, read, seen } = reader();
    void read('settings');
    for (const language of ['zh', 'en', 'zh'] as const) core.notice(settingsNotice(language));
    core.notice({ name: 'voicesChanged', payload: [] });
    expect(seen).toEqual(['voicesChanged 4']);
    await core.reply('settings', successReply('made after two', 2));
    expect(seen).toEqual(['voicesChanged 4', 'made after two', 'settingsChanged 3']);
  });

  it('is requested again after a newer reply overtook it', async () => {
    const { core, read, seen } = reader();
    void read('settings');
    void read('settings');
    core.notice(settingsNotice('zh'));
    await core.replyLast('settings', successReply('newer', 1));
    await core.reply('settings', successReply('older', 0));
    expect(seen).toEqual(['newer']);
    await core.reply('settings', successReply('newest', 1));
    expect(seen).toEqual(['newer', 'newest']);
  });

  it('is not requested again after a failure, and held notices are delivered', async () => {
    const { core, read, seen } = reader();
    const reply = read('talk');
    core.notice({ name: 'floor', payload: 'nobody' });
    await core.reply('talk', failure('disconnected'));
    expect(await reply).toEqual(failure('disconnected'));
    expect(seen).toEqual(['floor 1']);
  });

  it('is accepted from a new core regardless of its revision', async () => {
    const { core, read, seen, ordered } = reader();
    ordered.onConnection(() => undefined);
    void read('settings');
    await core.reply('settings', successReply('of the first', 900));
    core.connection('lost');
    core.connection('connected');
    core.noticeAt(settingsNotice('zh'), 1);
    expect(seen).toEqual(['of the first', 'settingsChanged 1']);
  });
});

describe('a changed setting', () => {
  it('takes the value of the last notice, even if its reply is older', async () => {
    const core = slowCore();
    const { store, actions } = createAppContext({
      bridge: core.bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    await core.reply('settings', successReply({ settings: inLanguage('en'), problems: [] }, 0));
    const chosen = actions.setup.choose('appearance.language', { appearance: { language: 'en' } });
    core.notice(settingsNotice('en'));
    core.notice(settingsNotice('zh'));
    await core.reply('changeSettings', successReply(inLanguage('en')));
    await chosen;
    expect(store.getState().settings?.appearance.language).toBe('zh');
  });
});

/** A browser WebSocket whose host is the test. */
class FakeWebSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly made: FakeWebSocket[] = [];
  readonly sent: string[] = [];
  readyState = 0;

  constructor() {
    super();
    FakeWebSocket.made.push(this);
  }

  /** Like browsers, drops messages silently when closed. */
  send(text: string): void {
    if (this.readyState === FakeWebSocket.OPEN) this.sent.push(text);
  }

  opens(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  closes(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }

  answers(id: number, value: unknown = 'done'): void {
    const packed = packMessage({ id, reply: { ok: true, value } });
    const data = typeof packed === 'string' ? packed : packed.buffer;
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
}

const latest = (): FakeWebSocket => {
  const socket = FakeWebSocket.made.at(-1);
  if (socket === undefined) throw new Error('The bridge has made no WebSocket.');
  return socket;
};

const bridgeNow = () => createSocketBridge({ address: 'ws://127.0.0.1:1/connection', token: 't' });
const lost = { ok: false, error: { code: 'disconnected' } };

describe('a request over the WebSocket', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', FakeWebSocket);
    FakeWebSocket.made.length = 0;
  });

  it('waits for the connection to open, then for its reply', async () => {
    const bridge = bridgeNow();
    const asked = bridge.request('about', undefined);
    latest().opens();
    await vi.advanceTimersByTimeAsync(0);
    latest().answers(0);
    expect(await asked).toMatchObject({ ok: true });
  });

  it('gets a reply of more than a megabyte, with bytes', async () => {
    const bridge = bridgeNow();
    latest().opens();
    const asked = bridge.request('replay', undefined);
    await vi.advanceTimersByTimeAsync(0);
    const mark = { at: 3_600_000, kind: 'picture', picture: 14_400 };
    const marks = Array.from({ length: 25_000 }, () => mark);
    latest().answers(0, { marks, you: Uint8Array.of(1) });
    expect(await asked).toMatchObject({ ok: true, value: { you: Uint8Array.of(1) } });
  });

  it('fails when the connection closes before the reply', async () => {
    const bridge = bridgeNow();
    latest().opens();
    const asked = bridge.request('about', undefined);
    await vi.advanceTimersByTimeAsync(0);
    latest().closes();
    expect(await asked).toMatchObject(lost);
  });

  it('fails at once while disconnected and works after a reconnect', async () => {
    const bridge = bridgeNow();
    latest().opens();
    latest().closes();
    const settled = vi.fn();
    void bridge.request('about', undefined).then(settled);
    await vi.advanceTimersByTimeAsync(500);
    expect(settled.mock.calls).toMatchObject([[lost]]);
    await vi.advanceTimersByTimeAsync(1000);
    latest().opens();
    const asked = bridge.request('about', undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(latest().sent).toHaveLength(1);
    latest().answers(0);
    expect(await asked).toMatchObject({ ok: true });
  });
});

function pageAt(address: string, kept = new Map<string, string>()) {
  let shown = address;
  const page = {
    location: new URL(address) as unknown as Location,
    history: {
      replaceState: (_state: unknown, _title: string, url: string) => {
        shown = url;
      },
    } as unknown as History,
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    } as unknown as Storage,
  };
  return { page, kept, shown: () => shown };
}

describe('the address of the browser host', () => {
  it.each([
    ['is read from the address', 'http://127.0.0.1:8127/#token=abc', '127.0.0.1:8127', 'abc'],
    [
      'is the one that the dev server names',
      'http://127.0.0.1:5173/?host=http%3A%2F%2F127.0.0.1%3A9#token=abc',
      '127.0.0.1:9',
      'abc',
    ],
    ['has an empty token if there is none', 'http://127.0.0.1:8127/', '127.0.0.1:8127', ''],
  ])('%s', (_title, shown, host, token) => {
    expect(hostAddress(pageAt(shown).page)).toEqual({ address: `ws://${host}/connection`, token });
  });

  it('is hidden from the address bar, and kept after a reload of the tab', () => {
    const first = pageAt('http://127.0.0.1:8127/#token=abc');
    hostAddress(first.page);
    expect(first.shown()).toBe('/');
    const again = pageAt('http://127.0.0.1:8127/', first.kept);
    expect(hostAddress(again.page).token).toBe('abc');
  });
});

function open(costMs = 0) {
  const applied: (readonly Notice[])[] = [];
  const frames: (() => void)[] = [];
  const ticks: (() => void)[] = [];
  let now = 0;
  const pace = new NoticePace({
    apply: (notices) => {
      applied.push(notices);
      now += costMs * notices.length;
    },
    now: () => now,
    nextFrame: (run) => frames.push(run),
    nextTick: (run) => ticks.push(run),
  });
  const addUrgent = (count: number): void => {
    for (let turn = 0; turn < count; turn += 1)
      pace.add({ name: 'historyChanged', payload: { count: turn } });
  };
  const addHighRate = (turn: number): void => {
    pace.add({ name: 'caption', payload: { turn, added: 'a' } });
  };
  return {
    addUrgent,
    pace,
    addHighRate,
    frame: () => frames.shift()?.(),
    tick: () => ticks.shift()?.(),
    asked: () => frames.length,
    counts: () => applied.map(({ length }) => length),
    turns: () =>
      applied.flat().map((notice) => {
        if (notice.name === 'caption') return notice.payload.turn;
        return notice.name === 'historyChanged' ? notice.payload.count : undefined;
      }),
  };
}

it('the notice pace applies the first notice at once and the rest with the next frame, in order', () => {
  const { addUrgent, frame, counts, turns, asked } = open();
  addUrgent(4);
  expect(counts()).toEqual([1]);
  frame();
  expect(counts()).toEqual([1, 3]);
  expect(turns()).toEqual([0, 1, 2, 3]);
  frame();
  // The pace requests no animation frame while there are no notices.
  expect(asked()).toBe(0);
  addUrgent(1);
  expect(counts()).toEqual([1, 3, 1]);
});

it('the notice pace applies a flood within the budget of each frame', () => {
  const { addUrgent, frame, turns } = open(0.01);
  addUrgent(10_000);
  frame();
  expect(turns().length).toBeGreaterThan(700);
  expect(turns().length).toBeLessThan(1000);
  // The next three frames apply no notices, so that the page can handle input.
  const first = turns().length;
  for (let frames = 0; frames < 3; frames += 1) frame();
  expect(turns()).toHaveLength(first);
  frame();
  expect(turns().length).toBeGreaterThan(first);
  for (let frames = 0; frames < 60; frames += 1) frame();
  expect(turns()).toEqual(Array.from({ length: 10_000 }, (_, turn) => turn));
});

it('the notice pace flushes pending notices before newer state', () => {
  const { addUrgent, pace, counts } = open();
  addUrgent(3);
  pace.flush();
  expect(counts()).toEqual([1, 2]);
  pace.flush();
  expect(counts()).toEqual([1, 2]);
});

it('the notice pace holds high-rate notices until the next frame tick', () => {
  const { addHighRate, tick, counts, asked, turns } = open();
  addHighRate(0);
  addHighRate(1);
  expect(counts()).toEqual([]);
  tick();
  expect([counts(), asked()]).toEqual([[2], 0]);
  addHighRate(2);
  tick();
  expect(turns()).toEqual([0, 1, 2]);
});

it('the notice pace applies held notices with an urgent one, in order', () => {
  const { addHighRate, addUrgent, tick, frame, counts, turns } = open();
  addHighRate(0);
  addUrgent(1);
  expect(counts()).toEqual([2]);
  tick();
  frame();
  expect(turns()).toEqual([0, 0]);
});
