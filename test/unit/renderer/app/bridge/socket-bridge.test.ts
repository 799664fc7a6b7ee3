import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createSocketBridge,
  hostAddress,
} from '../../../../../renderer/app/bridge/socket-bridge.ts';

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

  answers(id: number): void {
    const data = JSON.stringify({ id, reply: { ok: true, value: 'done' } });
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
}

const latest = (): FakeWebSocket => {
  const socket = FakeWebSocket.made.at(-1);
  if (socket === undefined) throw new Error('The bridge has made no WebSocket.');
  return socket;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeWebSocket);
  FakeWebSocket.made.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const bridgeNow = () => createSocketBridge({ address: 'ws://127.0.0.1:1/connection', token: 't' });
const lost = { ok: false, error: { code: 'disconnected' } };

describe('a request over the WebSocket', () => {
  it('waits for the connection to open, then for its reply', async () => {
    const bridge = bridgeNow();
    const asked = bridge.request('about', undefined);
    latest().opens();
    await vi.advanceTimersByTimeAsync(0);
    latest().answers(0);
    expect(await asked).toMatchObject({ ok: true });
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
  it('reads the token from the address and removes it there', () => {
    const { page, shown } = pageAt('http://127.0.0.1:8127/#token=abc');
    expect(hostAddress(page)).toEqual({ address: 'ws://127.0.0.1:8127/connection', token: 'abc' });
    expect(shown()).toBe('/');
  });

  it('keeps the token after a reload of the tab', () => {
    const first = pageAt('http://127.0.0.1:8127/#token=abc');
    hostAddress(first.page);
    const again = pageAt('http://127.0.0.1:8127/', first.kept);
    expect(hostAddress(again.page)).toEqual({
      address: 'ws://127.0.0.1:8127/connection',
      token: 'abc',
    });
  });

  it('uses the host that the dev server names', () => {
    const { page } = pageAt('http://127.0.0.1:5173/?host=http%3A%2F%2F127.0.0.1%3A9#token=abc');
    expect(hostAddress(page)).toEqual({ address: 'ws://127.0.0.1:9/connection', token: 'abc' });
  });

  it('uses an empty token if the address has none', () => {
    expect(hostAddress(pageAt('http://127.0.0.1:8127/').page)).toEqual({
      address: 'ws://127.0.0.1:8127/connection',
      token: '',
    });
  });
});
