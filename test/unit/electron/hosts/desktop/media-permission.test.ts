import { describe, expect, it, vi } from 'vitest';
import {
  isMediaAllowed,
  type MediaPermissionRequest,
} from '../../../../../electron/hosts/desktop/page-isolation.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

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

  it('is denied while nothing is switched on, and to the other source', () => {
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
