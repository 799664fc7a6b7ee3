import { firstSeeing } from '../../../renderer/store/seeing-view.ts';
import type { SeeingView } from '../../../renderer/store/seeing-view.ts';
import type { Shareable } from '../../../shared/vision/shareable.ts';
import type { GalleryState } from '../gallery-state.ts';
import { usualSettings } from '../sample-settings.ts';
import { live } from './talk.ts';

const seeing = (part: Partial<SeeingView>): GalleryState['view'] => {
  return (language) => ({
    ...live(language),
    settings: usualSettings,
    facts: { mode: 'video', endpoint: 'Demonstration' },
    seeing: { ...firstSeeing, ...part },
  });
};
const screens: readonly Shareable[] = [
  { id: 'screen:0', kind: 'screen', name: 'Screen 1' },
  { id: 'screen:1', kind: 'screen', name: 'Screen 2' },
];
const windows: readonly Shareable[] = [
  { id: 'window:1', kind: 'window', name: 'Letters' },
  { id: 'window:2', kind: 'window', name: `${'A window with a very long name '.repeat(8)}‮txet` },
  { id: 'window:3', kind: 'window', name: '<b>Spreadsheet</b>' },
];
const part = { left: 0.3, top: 0.2, width: 0.55, height: 0.7 };

/** Every state of what is shown to the model. */
export const seeingStates: Readonly<Record<string, GalleryState>> = {
  'see-options': {
    view: seeing({}),
    eye: 'open',
    click: '.eye-tools > .icon-button:last-child',
  },
  'see-sources': { view: seeing({}), eye: 'open', key: '.eye-tools > .icon-button:first-child' },
  'see-two-cameras': {
    view: seeing({
      cameras: [
        { deviceId: '1', label: 'Built-in camera' },
        { deviceId: '2', label: 'Desk camera (1080p)' },
      ],
    }),
    eye: 'open',
    key: '.eye-tools > .icon-button:first-child',
  },
  'see-screen': { view: seeing({ source: { kind: 'screen', id: 'screen:0' } }), eye: 'open' },
  'see-part': {
    view: seeing({ source: { kind: 'screen', id: 'screen:0' }, crop: part }),
    eye: 'open',
  },
  'see-choosing-part': {
    view: seeing({ source: { kind: 'screen', id: 'screen:0' }, cropping: 'region', crop: part }),
    eye: 'open',
  },
  'see-pick-screen': {
    view: seeing({ picking: { wanted: 'screen', list: screens, begins: false } }),
    thumbnails: true,
  },
  'see-pick-window': {
    view: seeing({ picking: { wanted: 'window', list: windows, begins: false } }),
  },
  'see-pick-looking': {
    view: seeing({ picking: { wanted: 'screen', list: undefined, begins: false } }),
  },
  'see-pick-nothing': {
    view: seeing({ picking: { wanted: 'window', list: [], begins: false } }),
  },
  'see-sharing-ended': {
    view: seeing({ source: { kind: 'window', id: 'window:1' } }),
    eye: 'ended',
  },
};
