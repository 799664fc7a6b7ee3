import { assistantRules } from './assistant.ts';
import type { AssistantSettings } from './assistant.ts';
import { chatRules } from './chat.ts';
import type { ChatSettings } from './chat.ts';
import { endpointRules } from './endpoints.ts';
import type { EndpointSettings } from './endpoints.ts';
import {
  appearanceRules,
  audioRules,
  captionRules,
  firstRunRules,
  privacyRules,
  talkingRules,
  visionRules,
  voiceRules,
} from './groups.ts';
import type {
  AppearanceSettings,
  AudioSettings,
  CaptionSettings,
  FirstRunSettings,
  PrivacySettings,
  TalkingSettings,
  VisionSettings,
  VoiceSettings,
} from './groups.ts';
import { group } from './rule.ts';

/** Everything a person can set. No secret is among it. */
export interface Settings {
  readonly endpoints: EndpointSettings;
  readonly assistant: AssistantSettings;
  readonly chat: ChatSettings;
  readonly voices: VoiceSettings;
  readonly audio: AudioSettings;
  readonly talking: TalkingSettings;
  readonly vision: VisionSettings;
  readonly captions: CaptionSettings;
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

export const settingsRule = group<Settings>({
  endpoints: group<EndpointSettings>(endpointRules),
  assistant: group<AssistantSettings>(assistantRules),
  chat: group<ChatSettings>(chatRules),
  voices: group<VoiceSettings>(voiceRules),
  audio: group<AudioSettings>(audioRules),
  talking: group<TalkingSettings>(talkingRules),
  vision: group<VisionSettings>(visionRules),
  captions: group<CaptionSettings>(captionRules),
  privacy: group<PrivacySettings>(privacyRules),
  appearance: group<AppearanceSettings>(appearanceRules),
  firstRun: group<FirstRunSettings>(firstRunRules),
});
