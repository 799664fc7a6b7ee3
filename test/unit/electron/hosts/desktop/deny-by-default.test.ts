import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { denyByDefault } from '../../../../../electron/hosts/desktop/page-isolation.ts';
import { app } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

afterEach(() => app.removeAllListeners());

function open() {
  denyByDefault('https://parley.localhost', () => ({ open: 'nothing' }));
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: vi.fn(),
    setWebRTCIPHandlingPolicy: vi.fn(),
  });
  app.emit('web-contents-created', {}, contents);
  return contents;
}

describe('the contents of any window', () => {
  it('attach no webview', () => {
    const preventDefault = vi.fn();
    open().emit('will-attach-webview', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it.each([
    ['https://parley.localhost/?window=mini', 0],
    ['https://example.com/', 1],
    ['data:text/html,stranger', 1],
    ['file:///etc/passwd', 1],
  ])('go to %s and are stopped %i times', (url, stopped) => {
    const preventDefault = vi.fn();
    open().emit('will-navigate', { url, preventDefault });
    expect(preventDefault).toHaveBeenCalledTimes(stopped);
  });
});
