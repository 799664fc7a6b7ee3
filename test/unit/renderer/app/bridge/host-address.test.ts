import { describe, expect, it } from 'vitest';
import { hostAddress } from '../../../../../renderer/app/bridge/socket-bridge.ts';

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
