import { describe, expect, it } from 'vitest';
import type { Bridge, Connection } from '../../../renderer/bridge/bridge.ts';
import { createStore } from '../../../renderer/store.ts';
import type { Notice, RequestName } from '../../../shared/ipc/contract.ts';
import { failure, success } from '../../../shared/ipc/reply.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'browser', runtime: [] } as const;

/** A bridge whose other end the test holds. */
function fakeBridge({ works = true } = {}) {
  const asked: string[] = [];
  let hearNotice: (notice: Notice) => void = () => undefined;
  let hearConnection: (connection: Connection) => void = () => undefined;
  const values: Partial<Record<RequestName, unknown>> = { about, checkParts: { checking: 2 } };
  const bridge: Bridge = {
    request: (name) => {
      asked.push(name);
      const value = values[name] as never;
      return Promise.resolve(works ? success(value) : failure('failed', 'It did not work.'));
    },
    onNotice: (hear) => {
      hearNotice = hear;
    },
    onConnection: (hear) => {
      hearConnection = hear;
      hear('connected');
    },
  };
  return {
    bridge,
    asked,
    notice: (notice: Notice) => {
      hearNotice(notice);
    },
    connection: (state: Connection) => {
      hearConnection(state);
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the store', () => {
  it('asks at once and keeps what comes back', async () => {
    const { bridge, asked, notice } = fakeBridge();
    const store = createStore(bridge);
    await settle();
    notice({
      name: 'partChecked',
      payload: { part: 'sharp', milliseconds: 1, state: 'loads', detail: 'x' },
    });
    expect(asked).toEqual(['about', 'checkParts']);
    expect(store.view()).toMatchObject({
      about,
      parts: { portaudio: { state: 'checking' }, sharp: { state: 'loads', detail: 'x' } },
      problem: undefined,
    });
  });

  it('tells its subscribers of each change until they leave', async () => {
    const { bridge, connection } = fakeBridge();
    const store = createStore(bridge);
    await settle();
    let told = 0;
    const leave = store.subscribe(() => {
      told += 1;
    });
    connection('lost');
    leave();
    connection('lost');
    expect(told).toBe(1);
  });

  it('keeps the sentence of a request that failed', async () => {
    const store = createStore(fakeBridge({ works: false }).bridge);
    await settle();
    expect(store.view()).toMatchObject({
      problem: 'It did not work.',
      parts: { portaudio: { state: 'unknown' }, sharp: { state: 'unknown' } },
    });
  });

  it('asks anew when the connection comes back, and not while it is lost', async () => {
    const { bridge, asked, connection } = fakeBridge();
    createStore(bridge);
    await settle();
    connection('lost');
    expect(asked).toHaveLength(2);
    connection('connected');
    await settle();
    expect(asked).toEqual(['about', 'checkParts', 'about', 'checkParts']);
  });
});
