import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  denyByDefault,
  externalLink,
  isMediaAllowed,
  type MediaPermissionRequest,
} from '../../../../../electron/hosts/desktop/start-desktop.ts';
import { app, shell } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

afterEach(() => app.removeAllListeners());

function openContents(log = new FakeLog()) {
  denyByDefault('https://parley.localhost', () => ({ open: 'nothing' }), log);
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: vi.fn<(open: (details: { readonly url: string }) => unknown) => void>(),
    setWebRTCIPHandlingPolicy: vi.fn(),
  });
  app.emit('web-contents-created', {}, contents);
  return contents;
}

describe('the contents of any window', () => {
  it('log once that links are refused after one was opened', () => {
    const log = new FakeLog();
    const contents = openContents(log);
    const open = (url: string) => contents.setWindowOpenHandler.mock.lastCall?.[0]({ url });
    for (const path of 'abc') open(`https://example.com/${path}`);
    open('file:///etc/passwd');
    expect(shell.openExternal.mock.calls).toEqual([['https://example.com/a']]);
    const refusal = 'refused to open a second link within 10 s without a click, key or tap';
    expect(log.lines.filter((line) => line.includes(refusal))).toHaveLength(1);
    contents.emit('input-event', {}, { type: 'mouseDown' });
    for (const path of 'de') open(`https://example.com/${path}`);
    expect(log.lines.filter((line) => line.includes(refusal))).toHaveLength(2);
  });

  it('attach no webview', () => {
    const preventDefault = vi.fn();
    openContents().emit('will-attach-webview', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it.each([
    ['https://parley.localhost/?window=mini', 0],
    ['https://example.com/', 1],
    ['data:text/html,stranger', 1],
    ['file:///etc/passwd', 1],
  ])('navigate to %s and are stopped %i times', (url, times) => {
    const preventDefault = vi.fn();
    openContents().emit('will-navigate', { url, preventDefault });
    expect(preventDefault).toHaveBeenCalledTimes(times);
  });
});

describe('an external link', () => {
  it.each(['https://example.com/a', 'http://example.com/', 'mailto:a@example.com'])(
    'may be %s',
    (address) => {
      expect(externalLink(address)).toBe(address);
    },
  );

  it.each([
    '?subject=Hello&body=My%20token',
    '?cc=b@example.com&bcc=c@example.com',
    '?attach=/etc/passwd',
    '#part',
  ])('keeps only the recipient of a mail link with %s', (rest) => {
    expect(externalLink(`mailto:a.b+c@example.com${rest}`)).toBe('mailto:a.b+c@example.com');
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://x',
    '',
    'mailto:',
    'mailto:?to=a@example.com',
    'mailto:a@example.com,b@example.com',
    'mailto:a@example.com%0Acc:b@example.com',
    'mailto:%22quoted%22@example.com',
    'mailto:-flag@example.com',
    `https://example.com/${'a'.repeat(3000)}`,
  ])('is never %j', (address) => {
    expect(externalLink(address)).toBeUndefined();
  });
});

const own = 'https://parley.localhost';
const camera: MediaPermissionRequest = {
  permission: 'media',
  origin: own,
  isMainFrame: true,
  media: ['video'],
};
const screen: MediaPermissionRequest = {
  permission: 'display-capture',
  origin: own,
  isMainFrame: true,
  media: [],
};

describe('a capture permission', () => {
  it('is granted to the source that the user switched on', () => {
    expect(isMediaAllowed(camera, own, { open: 'camera' })).toBe(true);
    expect(isMediaAllowed(screen, own, { open: 'screen', id: 'screen:0:0' })).toBe(true);
    expect(isMediaAllowed({ ...camera, media: [] }, own, { open: 'screen' })).toBe(true);
  });

  it('is denied while nothing is switched on, and for a source that is not switched on', () => {
    for (const asked of [camera, screen])
      expect(isMediaAllowed(asked, own, { open: 'nothing' })).toBe(false);
    expect(isMediaAllowed(camera, own, { open: 'screen' })).toBe(false);
    expect(isMediaAllowed(screen, own, { open: 'camera' })).toBe(false);
    expect(isMediaAllowed({ ...camera, media: [] }, own, { open: 'camera' })).toBe(false);
  });

  it.each([
    ['another page', { origin: 'https://example.com' }],
    ['a page without origin', { origin: undefined }],
    [
      'an origin that only begins like Parley’s',
      { origin: 'https://parley.localhost.example.com' },
    ],
    ['a frame within Parley’s page', { isMainFrame: false }],
  ])('is denied to %s', (_who, other) => {
    expect(isMediaAllowed({ ...camera, ...other }, own, { open: 'camera' })).toBe(false);
    expect(isMediaAllowed({ ...screen, ...other }, own, { open: 'screen' })).toBe(false);
  });

  it.each([
    ['a microphone', { media: ['audio'] }],
    ['a microphone with the camera', { media: ['video', 'audio'] }],
    ['an unknown media type', { media: ['unknown'] }],
    ['an undefined media type', { media: [undefined] }],
    ['geolocation', { permission: 'geolocation' }],
    ['notifications', { permission: 'notifications' }],
    ['the clipboard', { permission: 'clipboard-read' }],
  ])('is denied for %s', (_what, other) => {
    for (const open of ['camera', 'screen'] as const) {
      expect(isMediaAllowed({ ...camera, ...other }, own, { open })).toBe(false);
    }
  });
});
