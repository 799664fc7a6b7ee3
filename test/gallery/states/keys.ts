import type { SettingsUiState } from '../../../renderer/settings/settings-ui-state.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import {
  globalKeyOff,
  type GlobalKeyState,
  type GlobalKeyView,
} from '../../../shared/talk/global-key.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleSettings, section } from '../sample-settings.ts';
import { live } from './talk.ts';

const key = 'Control+F8';

function globalKey(
  state: GlobalKeyState,
  part: Partial<SettingsUiState> = {},
  view: Partial<GlobalKeyView> = {},
): GalleryState {
  const talking = {
    ...sampleSettings.talking,
    mode: 'holdOrTap' as const,
    everywhere: true,
    globalKey: key,
  };
  return {
    view: (language) => ({
      ...section('talking', part, { talking }).view(language),
      globalKey: { ...globalKeyOff, ...view, state },
    }),
  };
}

const hook: GlobalKeyState = { kind: 'active', method: 'uiohook' };

export const keyStates: Readonly<Record<string, GalleryState>> = {
  'settings-global-key-off': section(
    'talking',
    {},
    {
      talking: { ...sampleSettings.talking, mode: 'hold' },
    },
  ),
  'settings-global-key-starting': globalKey({ kind: 'starting' }),
  'settings-global-key-uiohook': globalKey(
    hook,
    {},
    // In the local time zone of the viewer.
    { seen: { event: 'release', at: new Date(2026, 10, 22, 10, 42, 7).getTime() } },
  ),
  'settings-global-key-portal': globalKey({ kind: 'active', method: 'portal' }),
  'settings-global-key-shortcut': globalKey({ kind: 'active', method: 'globalShortcut' }),
  'settings-global-key-retrying': globalKey({ kind: 'retrying', inMs: 8000 }),
  'settings-global-key-unavailable': globalKey({
    kind: 'unavailable',
    error: appError('globalKeyNowhere'),
  }),
  'settings-global-key-given-up': globalKey({
    kind: 'unavailable',
    error: appError('globalKeyEnded', { times: 10 }),
  }),
  'settings-global-key-unset': section(
    'talking',
    {},
    { talking: { ...sampleSettings.talking, everywhere: true, globalKey: 'none' } },
  ),
  'settings-global-key-tested': globalKey(hook, { busy: ['globalKeyTest'] }),
  'settings-global-key-arrived': globalKey(hook, {
    globalKeyTest: { key, result: { arrived: true, ms: 1204.4 } },
  }),
  'settings-global-key-silent': globalKey(hook, {
    globalKeyTest: { key, result: { arrived: false } },
  }),
  'live-other-keys': {
    view: (language) => ({
      ...live(language),
      settings: {
        ...sampleSettings,
        talking: { ...sampleSettings.talking, everywhere: true, globalKey: key },
        keys: { ...sampleSettings.keys, interrupt: 'F7', pause: 'F6', shortcuts: 'F2' },
      },
    }),
  },
  'settings-keys': section('keys'),
  'settings-keys-changed': section(
    'keys',
    {},
    {
      keys: {
        ...sampleSettings.keys,
        interrupt: 'F7',
        pause: 'Control+Shift+KeyP',
        cough: 'ControlRight',
        mute: 'none',
      },
    },
  ),
  'settings-keys-recording': { ...section('keys'), click: '.row:nth-of-type(3) .button' },
  'settings-keys-conflict': section('keys', {
    keyConflict: { owner: 'mute', key: 'Control+KeyK', others: ['palette', 'talk'] },
  }),
};
