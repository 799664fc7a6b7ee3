import {
  initialVisionUiState,
  type VisionUiState,
} from '../../../renderer/capture/vision-ui-state.ts';
import type { CaptureSource } from '../../../shared/vision/vision-options.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleSettings } from '../sample-settings.ts';
import { live } from './talk.ts';

const visionView = (part: Partial<VisionUiState>): GalleryState['view'] => {
  return (language) => ({
    ...live(language),
    settings: sampleSettings,
    facts: { mode: 'video', endpoint: 'Demonstration' },
    visionUi: { ...initialVisionUiState, ...part },
  });
};
const screens: readonly CaptureSource[] = [
  { id: 'screen:0', kind: 'screen', name: 'Screen 1' },
  { id: 'screen:1', kind: 'screen', name: 'Screen 2' },
];
const windows: readonly CaptureSource[] = [
  { id: 'window:1', kind: 'window', name: 'Letters' },
  { id: 'window:2', kind: 'window', name: `${'A window with a very long name '.repeat(8)}‮txet` },
  { id: 'window:3', kind: 'window', name: '<b>Spreadsheet</b>' },
];
const part = { left: 0.3, top: 0.2, width: 0.55, height: 0.7 };

export const visionStates: Readonly<Record<string, GalleryState>> = {
  'see-options': {
    view: visionView({}),
    capture: 'open',
    click: '.capture-tools > .icon-button:last-child',
  },
  'see-sources': {
    view: visionView({}),
    capture: 'open',
    key: '.capture-tools > .icon-button:first-child',
  },
  'see-two-cameras': {
    view: visionView({
      cameras: [
        { deviceId: '1', label: 'Built-in camera' },
        { deviceId: '2', label: 'Desk camera (1080p)' },
      ],
    }),
    capture: 'open',
    key: '.capture-tools > .icon-button:first-child',
  },
  'see-screen': {
    view: visionView({ source: { kind: 'screen', id: 'screen:0' } }),
    capture: 'open',
  },
  'see-part': {
    view: visionView({ source: { kind: 'screen', id: 'screen:0' }, crop: part }),
    capture: 'open',
  },
  'see-choosing-part': {
    view: visionView({
      source: { kind: 'screen', id: 'screen:0' },
      cropping: 'region',
      crop: part,
    }),
    capture: 'open',
  },
  'see-connecting': {
    view: (language) => ({
      ...visionView({ awaitsTalk: true })(language),
      captions: [],
      talkState: { value: { phase: 'connecting' }, at: 0 },
    }),
    capture: 'open',
  },
  'see-from-voice': {
    view: (language) => ({
      ...live(language),
      facts: { mode: 'audio', endpoint: 'Demonstration' },
    }),
    click: '.dock-row > .icon-button:nth-child(2)',
  },
  'see-pick-screen': {
    view: visionView({ picking: { kind: 'screen', list: screens, begins: false } }),
    thumbnails: true,
  },
  'see-pick-window': {
    view: visionView({ picking: { kind: 'window', list: windows, begins: false } }),
  },
  'see-pick-looking': {
    view: visionView({ picking: { kind: 'screen', list: undefined, begins: false } }),
  },
  'see-pick-nothing': {
    view: visionView({ picking: { kind: 'window', list: [], begins: false } }),
  },
  'see-sharing-ended': {
    view: visionView({ source: { kind: 'window', id: 'window:1' } }),
    capture: 'ended',
  },
};
