import type { AppError, ErrorCode, Outcome } from '../errors/app-error.ts';
import {
  appearanceSettings,
  desktopSettings,
  firstRunSettings,
  toldSettings,
} from './app-settings.ts';
import { assistantSettings } from './assistant-settings.ts';
import { audioSettings, voiceSettings } from './audio-settings.ts';
import { chatSettings } from './chat-settings.ts';
import { endpointSettings, proxySettings } from './connection-settings.ts';
import { keySettings } from './key-settings.ts';
import { privacySettings } from './privacy-settings.ts';
import { settingsGroup, type ValueOf } from './setting-rule.ts';
import { captionSettings, talkingSettings, visionSettings } from './talking-settings.ts';

/** Everything a person can set, group by group. No secret is among it. */
export const allSettings = settingsGroup({
  endpoints: endpointSettings,
  proxy: proxySettings,
  assistant: assistantSettings,
  chat: chatSettings,
  voices: voiceSettings,
  audio: audioSettings,
  talking: talkingSettings,
  keys: keySettings,
  vision: visionSettings,
  captions: captionSettings,
  desktop: desktopSettings,
  told: toldSettings,
  privacy: privacySettings,
  appearance: appearanceSettings,
  firstRun: firstRunSettings,
});

export type Settings = ValueOf<typeof allSettings>;

/** What everything is before anybody has changed anything. */
export const defaultSettings: Settings = allSettings.initial;

export type SettingsGroup = keyof Settings;

/** Some of the settings; what is left out stays. */
export type SettingsPatch = { readonly [Group in SettingsGroup]?: Partly<Settings[Group]> };

type Partly<Value> = Value extends string | number | boolean | readonly unknown[]
  ? Value
  : { readonly [Name in keyof Value]?: Partly<Value[Name]> };

export type SettingsEvent =
  | { readonly kind: 'changed'; readonly settings: Settings; readonly before: Settings }
  /** What was stored could not be read, or what is new cannot be kept. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** It can be kept again. */
  | { readonly kind: 'problemOver'; readonly code: ErrorCode };

/** The settings of this machine, for whoever only goes by them. */
export interface SettingsReader {
  readonly get: () => Settings;
  readonly listen: (hear: (event: SettingsEvent) => void) => () => void;
}

export interface SettingsEditor extends SettingsReader {
  /** Checks a patch as it comes from outside; what it does not name stays. */
  readonly change: (patch: unknown) => Outcome<Settings>;
}
