import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSocketBridge } from '../../../../../renderer/app/bridge/socket-bridge.ts';

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
