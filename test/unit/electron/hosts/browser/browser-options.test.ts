import { describe, expect, it } from 'vitest';
import { readBrowserOptions } from '../../../../../electron/hosts/browser/browser-host.ts';
import { isLoopback } from '../../../../../electron/hosts/browser/request-guard.ts';

describe('the browser host', () => {
  it('uses any free port by default, so that no camera permission outlives the run', () => {
    expect(readBrowserOptions([])).toMatchObject({ kind: 'options', port: 0 });
    expect(readBrowserOptions(['--port', '8127'])).toMatchObject({ port: 8127 });
  });

  it.each(['', 'abc', '-1', '65536', '80.5', '1e9'])('refuses the port "%s"', (port) => {
    expect(readBrowserOptions([`--port=${port}`])).toEqual({
      kind: 'usage',
      problem: `--port takes a number from 0 to 65535, not "${port}".`,
    });
  });

  it.each(['nonsense', 'http://example.com:80', 'https://127.0.0.1:5173', 'http://127.0.0.1:1/x'])(
    'refuses "%s" as a dev server',
    (address) => {
      expect(readBrowserOptions([`--dev-renderer=${address}`])).toMatchObject({ kind: 'usage' });
    },
  );

  it('refuses unknown options', () => {
    expect(readBrowserOptions(['--public'])).toMatchObject({ kind: 'usage' });
  });

  it.each(['0.0.0.0', '::', '192.168.1.2', 'example.com', '127.0.0.1.example.com', ''])(
    'does not take "%s" for loopback',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );
});
