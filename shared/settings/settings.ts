import { assistantRules } from './assistant-settings.ts';
import type { AssistantSettings } from './assistant-settings.ts';
import { chatRules } from './chat-settings.ts';
import type { ChatSettings } from './chat-settings.ts';
import { desktopRules, toldRules } from './desktop-settings.ts';
import type { DesktopSettings, ToldSettings } from './desktop-settings.ts';
import { endpointRules } from './endpoint-settings.ts';
import type { EndpointSettings } from './endpoint-settings.ts';
import { keyRules } from './key-settings.ts';
import type { KeySettings } from './key-settings.ts';
import { proxyRules } from './proxy-settings.ts';
import type { ProxySettings } from './proxy-settings.ts';
import {
  appearanceRules,
  audioRules,
  captionRules,
  firstRunRules,
  privacyRules,
  talkingRules,
  visionRules,
  voiceRules,
} from './settings-groups.ts';
import type {
  AppearanceSettings,
  AudioSettings,
  CaptionSettings,
  FirstRunSettings,
  PrivacySettings,
  TalkingSettings,
  VisionSettings,
  VoiceSettings,
} from './settings-groups.ts';
import { groupRule } from './setting-rule.ts';

/** Everything a person can set. No secret is among it. */
export interface Settings {
  readonly endpoints: EndpointSettings;
  readonly proxy: ProxySettings;
  readonly assistant: AssistantSettings;
  readonly chat: ChatSettings;
  readonly voices: VoiceSettings;
  readonly audio: AudioSettings;
  readonly talking: TalkingSettings;
  readonly keys: KeySettings;
  readonly vision: VisionSettings;
  readonly captions: CaptionSettings;
  readonly desktop: DesktopSettings;
  readonly told: ToldSettings;
  readonly privacy: PrivacySettings;
  readonly appearance: AppearanceSettings;
  readonly firstRun: FirstRunSettings;
}

export type SettingsGroup = keyof Settings;

/** Some of the settings; what is left out stays. */
export type SettingsPatch = { readonly [Group in SettingsGroup]?: Partly<Settings[Group]> };

type Partly<Value> = Value extends string | number | boolean | readonly unknown[]
  ? Value
  : { readonly [Name in keyof Value]?: Partly<Value[Name]> };

export const settingsRule = groupRule<Settings>({
  endpoints: groupRule<EndpointSettings>(endpointRules),
  proxy: groupRule<ProxySettings>(proxyRules),
  assistant: groupRule<AssistantSettings>(assistantRules),
  chat: groupRule<ChatSettings>(chatRules),
  voices: groupRule<VoiceSettings>(voiceRules),
  audio: groupRule<AudioSettings>(audioRules),
  talking: groupRule<TalkingSettings>(talkingRules),
  keys: groupRule<KeySettings>(keyRules),
  vision: groupRule<VisionSettings>(visionRules),
  captions: groupRule<CaptionSettings>(captionRules),
  desktop: groupRule<DesktopSettings>(desktopRules),
  told: groupRule<ToldSettings>(toldRules),
  privacy: groupRule<PrivacySettings>(privacyRules),
  appearance: groupRule<AppearanceSettings>(appearanceRules),
  firstRun: groupRule<FirstRunSettings>(firstRunRules),
});
