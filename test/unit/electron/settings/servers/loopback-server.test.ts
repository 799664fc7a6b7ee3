import { describe, expect, it } from 'vitest';
import { isLoopbackServer } from '../../../../../electron/settings/servers/server-admission.ts';

describe('isLoopbackServer', () => {
  it.each([
    'ws://localhost',
    'ws://localhost:8006',
    'wss://127.0.0.1:1',
    'ws://127.1.2.3',
    'ws://[::1]:8006',
  ])('is %s', (origin) => {
    expect(isLoopbackServer(origin)).toBe(true);
  });

  it.each([
    'ws://localhost.example.com',
    'ws://127.0.0.1.example.com:80',
    'ws://localhost:80@example.com',
    'ws://example.com/ws://localhost',
    'ws://parley.localhost',
    'ws://0.0.0.0',
    'ws://192.168.1.2',
    'ws://[::2]',
    'ws://2130706433',
    'http://localhost',
    '',
  ])('is not %s', (origin) => {
    expect(isLoopbackServer(origin)).toBe(false);
  });
});
