import { appError } from '../../../shared/errors/app-error.ts';
import { sampleSettings } from '../sample-settings.ts';
import type { GalleryState } from '../gallery-state.ts';

const first: GalleryState['view'] = () => ({
  settings: { ...sampleSettings, firstRun: { done: false } },
});
const submit = '.first-run [type="submit"]';
const steps = (count: number) => Array.from({ length: count }, () => submit);

export const firstRunStates: Readonly<Record<string, GalleryState>> = {
  'first-language': { view: first },
  'first-microphone': { view: first, clicks: steps(1) },
  'first-cursor': {
    view: (language) => ({ ...first(language), windows: { main: true, mini: false } }),
    clicks: [...steps(1), '.first-run-buttons button:last-child'],
  },
  'first-listening': {
    view: first,
    clicks: steps(2),
    emit: [
      { name: 'microphoneMeter', payload: { kind: 'using', device: 'Built-in microphone' } },
      {
        name: 'microphoneMeter',
        payload: { kind: 'level', rmsDb: -50, peakDb: -46, clipped: 0 },
      },
    ],
  },
  'first-heard': {
    view: first,
    clicks: steps(2),
    emit: [
      { name: 'microphoneMeter', payload: { kind: 'using', device: 'Built-in microphone' } },
      {
        name: 'microphoneMeter',
        payload: { kind: 'level', rmsDb: -24, peakDb: -12, clipped: 0 },
      },
    ],
  },
  'first-no-microphone': {
    view: first,
    clicks: steps(2),
    emit: [
      {
        name: 'microphoneMeter',
        payload: {
          kind: 'problem',
          error: appError('noMicrophone'),
        },
      },
    ],
  },
  'first-server': {
    view: first,
    clicks: [submit, '.first-run-buttons .button:last-child'],
  },
  'first-own-server': {
    view: first,
    clicks: [submit, '.first-run-buttons .button:last-child', '.choice:last-child input'],
  },
};
