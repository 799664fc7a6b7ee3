import { describe, expect, it } from 'vitest';
import { maySee } from '../../../../../electron/hosts/desktop/seeing-permission.ts';
import type { Asked } from '../../../../../electron/hosts/desktop/seeing-permission.ts';

const own = 'https://parley.localhost';
const camera: Asked = { permission: 'media', origin: own, mainFrame: true, media: ['video'] };
const screen: Asked = { permission: 'display-capture', origin: own, mainFrame: true, media: [] };

describe('a permission to see', () => {
  it('is given for what is switched on', () => {
    expect(maySee(camera, own, { open: 'camera' })).toBe(true);
    expect(maySee(screen, own, { open: 'screen', id: 'screen:0:0' })).toBe(true);
    expect(maySee({ ...camera, media: [] }, own, { open: 'screen' })).toBe(true);
  });

  it('is not given while it is switched off, nor for the other', () => {
    for (const asked of [camera, screen])
      expect(maySee(asked, own, { open: 'nothing' })).toBe(false);
    expect(maySee(camera, own, { open: 'screen' })).toBe(false);
    expect(maySee(screen, own, { open: 'camera' })).toBe(false);
    expect(maySee({ ...camera, media: [] }, own, { open: 'camera' })).toBe(false);
  });

  it.each([
    ['another page', { origin: 'https://example.com' }],
    ['a page without origin', { origin: undefined }],
    ['a page that is nearly ours', { origin: 'https://parley.localhost.example.com' }],
    ['a frame within ours', { mainFrame: false }],
  ])('is not given to %s', (_who, other) => {
    expect(maySee({ ...camera, ...other }, own, { open: 'camera' })).toBe(false);
    expect(maySee({ ...screen, ...other }, own, { open: 'screen' })).toBe(false);
  });

  it.each([
    ['a microphone', { media: ['audio'] }],
    ['a microphone with the camera', { media: ['video', 'audio'] }],
    ['a device nobody knows', { media: ['unknown'] }],
    ['no kind of device', { media: [undefined] }],
    ['the place', { permission: 'geolocation' }],
    ['notifications', { permission: 'notifications' }],
    ['the clipboard', { permission: 'clipboard-read' }],
  ])('is not given for %s', (_what, other) => {
    for (const open of ['camera', 'screen'] as const) {
      expect(maySee({ ...camera, ...other }, own, { open })).toBe(false);
    }
  });
});
