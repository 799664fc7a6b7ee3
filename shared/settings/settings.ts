import type { AppError, ErrorCode, Outcome } from '../errors/app-error.ts';
import { assistantRules, type AssistantSettings } from './assistant-settings.ts';
import { chatRules, type ChatSettings } from './chat-settings.ts';
import {
  defaultProxySettings,
  endpointRules,
  type EndpointSettings,
  proxyRules,
  type ProxySettings,
} from './connection-settings.ts';
import {
  defaultDesktopSettings,
  desktopRules,
  type DesktopSettings,
  toldRules,
  type ToldSettings,
} from './desktop-settings.ts';
import { embeddedId, embeddedProfile } from './endpoint-profile.ts';
import { groupRule } from './setting-rule.ts';
import {
  appearanceRules,
  type AppearanceSettings,
  audioRules,
  type AudioSettings,
  captionRules,
  type CaptionSettings,
  firstRunRules,
  type FirstRunSettings,
  keyRules,
  type KeySettings,
  privacyRules,
  type PrivacySettings,
  talkingRules,
  type TalkingSettings,
  visionRules,
  type VisionSettings,
  voiceRules,
  type VoiceSettings,
} from './settings-groups.ts';

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

/** What everything is before anybody has changed anything. */
export const defaultSettings: Settings = {
  endpoints: { chosen: embeddedId, list: [embeddedProfile] },
  proxy: defaultProxySettings,
  assistant: {
    preset: 'everyday',
    instructions: '',
    // As deployed servers have them themselves.
    generation: {
      lengthPenalty: 1.1,
      temperature: 0.7,
      topK: 100,
      topP: 0.8,
      textRepetitionPenalty: 1.05,
      listenProbScale: 1,
      listenTopK: 'server',
      maxNewSpeakTokensPerChunk: 20,
      forceListenCount: 0,
      generateAudio: true,
      lsMode: 'explicit',
      decodeMode: 'sampling',
      ttsTemperature: 0.8,
      ttsRepetitionPenalty: 1.05,
      chunkMs: 1000,
    },
    configs: {},
  },
  chat: {
    system: '',
    streaming: true,
    speech: false,
    voice: 'usual',
    maxNewTokens: 'server',
    lengthPenalty: 'server',
    thinking: false,
    ttsTemplate: true,
    maxSlices: 'server',
  },
  voices: { model: 'none', speech: 'none' },
  audio: {
    microphone: 'default',
    speaker: 'default',
    whileUnplugged: 'nothing',
    inputVolume: 1,
    echo: 'auto',
    noise: 'off',
    level: 'off',
    playbackVolume: 1,
    chimes: true,
  },
  talking: {
    mode: 'open',
    key: 'Space',
    everywhere: false,
    globalKey: 'Control+Alt+Space',
    sounds: false,
    startMuted: false,
    overlap: { enabled: true, shortMs: 700 },
    longTalks: 'handOver',
    yielding: 'auto',
    answers: 'balanced',
  },
  keys: {
    interrupt: 'default',
    mute: 'default',
    cough: 'none',
    pause: 'none',
    end: 'none',
    keepRecent: 'none',
    palette: 'default',
    inspector: 'default',
    shortcuts: 'default',
  },
  vision: {
    camera: '',
    slices: 1,
    rate: 1,
    budget: 3,
    fewerWhenStill: false,
    mirror: true,
    flip: false,
  },
  captions: { size: 28, contrast: 'normal' },
  desktop: defaultDesktopSettings,
  told: { keptInTray: false, noTray: false },
  privacy: {
    keepChats: false,
    keepTalks: 'ask',
    keepTapes: false,
    ownWords: 'no',
    tapeSound: 'flac',
    holdRecent: false,
    days: 30,
    talkDays: 30,
    tapeDays: 30,
  },
  appearance: { theme: 'system', textSize: 100, language: 'system' },
  firstRun: { done: false },
};

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
