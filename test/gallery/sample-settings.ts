import type { UiState } from '../../renderer/app/ui-state.ts';
import {
  initialSettingsUiState,
  type SettingsSection,
  type SettingsUiState,
} from '../../renderer/settings/settings-ui-state.ts';
import type { ListedDevice, StoredVoice } from '../../shared/settings/audio-settings.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import {
  type RedactedSettings,
  redactSettings,
  defaultSettings,
} from '../../shared/settings/settings.ts';
import { type GalleryState, inLanguage } from './gallery-state.ts';

/** The settings after the first run, with no changes. */
export const sampleSettings: RedactedSettings = redactSettings({
  ...defaultSettings,
  firstRun: { done: true },
});

export const severalServers: RedactedSettings['endpoints'] = {
  chosen: 'home',
  list: [
    ...sampleSettings.endpoints.list,
    {
      id: 'home',
      name: 'Workstation',
      kind: 'local',
      url: 'wss://workstation.local:8006',
      dialect: 'auto',
      headers: {},
      query: {},
      hasToken: false,
    },
    {
      id: 'hosted',
      name: 'MiniCPM-o, hosted',
      kind: 'hosted',
      url: 'wss://realtime.example/v1/realtime',
      dialect: 'unified',
      headers: { 'X-Team': null },
      query: { model: null },
      hasToken: true,
    },
  ],
};

const device = (name: string, part: Partial<ListedDevice>): ListedDevice => ({
  name,
  hostApi: 'ALSA',
  inputChannels: 0,
  outputChannels: 0,
  rate: 48_000,
  defaultInput: false,
  defaultOutput: false,
  ...part,
});

export const sampleDevices: readonly ListedDevice[] = [
  device('Built-in Audio', {
    inputChannels: 2,
    outputChannels: 2,
    defaultInput: true,
    defaultOutput: true,
  }),
  device('USB Headset', { inputChannels: 1, outputChannels: 2 }),
  device('HDMI', { outputChannels: 2 }),
];

const names = { en: ['Mine, at home', 'Grandmother'], zh: ['我的，在家录的', '外婆'] } as const;

export function sampleVoices(language: Language): readonly StoredVoice[] {
  const [mine, other] = inLanguage<readonly [string, string]>(names, language);
  const createdAt = '2026-11-20T08:00:00Z';
  return [
    { id: 'voice-1', name: mine, seconds: 9.4, notes: [], createdAt },
    { id: 'voice-2', name: other, seconds: 15, notes: ['quiet', 'cut'], createdAt },
  ];
}

type Part = Partial<SettingsUiState>;

export function section(
  name: SettingsSection,
  part: Part | ((language: Language) => Part) = {},
  settings: Partial<RedactedSettings> = {},
): GalleryState {
  return {
    view: (language): Partial<UiState> => ({
      screen: 'settings',
      settings: { ...sampleSettings, ...settings },
      settingsUi: {
        ...initialSettingsUiState,
        section: name,
        ...(typeof part === 'function' ? part(language) : part),
      },
    }),
  };
}
