import { type AppError, type ErrorCode, type Outcome, failure } from '../errors/app-error.ts';
import {
  appearanceSettings,
  desktopSettings,
  firstRunSettings,
  oneTimeNoticeSettings,
  keySettings,
  modelSettings,
  privacySettings,
  type ModelSettings,
  captionSettings,
  talkingSettings,
  visionSettings,
} from './app-settings.ts';
import { assistantSettings, chatSettings } from './assistant-settings.ts';
import { audioSettings, voiceSettings } from './audio-settings.ts';
import {
  endpointSettings,
  proxySettings,
  type ProxySettings,
  type EndpointProfile,
  type ProfileDraft,
  serverOrigin,
} from './connection-settings.ts';
import { cursorSettings } from './cursor-settings.ts';
import { booleanRule, choiceRule, setting, settingsGroup, type ValueOf } from './setting-rule.ts';
import {
  fillFields,
  hasSealedValues,
  moveQueryToFields,
  sealValues,
  unsealedValues,
} from './profile-values.ts';

/** Tools that come with Parley. All are off until the user switches them on. */
const toolSettings = settingsGroup({
  clock: setting(booleanRule, false),
  reminders: setting(booleanRule, false),
  files: setting(booleanRule, false),
  history: setting(booleanRule, false),
  /** Whether tools can be used in talks. A chat beside the talk calls them, or the talk's own model. */
  talks: setting(booleanRule, false),
});

/** The sentences that Parley knows about the user. */
const memorySettings = settingsGroup({
  /** Whether Parley sends the sentences to the model. */
  use: setting(booleanRule, true),
  /**
   * Whether Parley adds passages of an earlier conversation to a message that refers to it. The passages may come from
   * a talk with another server, so the user must turn this on.
   */
  past: setting(booleanRule, false),
  /** Suggestions are offered, remembered at once or not made. `unasked` offers them until the user has chosen. */
  suggest: setting(choiceRule(['unasked', 'offer', 'auto', 'never']), 'unasked'),
});

/**
 * All settings by group. Tokens are stored elsewhere; values of headers and query fields can still be here, so
 * `redactSettings` must remove them from a copy that leaves the core.
 */
export const allSettings = settingsGroup({
  endpoints: endpointSettings,
  proxy: proxySettings,
  assistant: assistantSettings,
  chat: chatSettings,
  voices: voiceSettings,
  audio: audioSettings,
  talking: talkingSettings,
  keys: keySettings,
  cursor: cursorSettings,
  tools: toolSettings,
  vision: visionSettings,
  captions: captionSettings,
  desktop: desktopSettings,
  told: oneTimeNoticeSettings,
  model: modelSettings,
  memory: memorySettings,
  privacy: privacySettings,
  appearance: appearanceSettings,
  firstRun: firstRunSettings,
});

export type Settings = ValueOf<typeof allSettings>;

export const defaultSettings: Settings = allSettings.initial;

export type SettingsGroup = keyof Settings;

export type SettingsPatch = { readonly [Group in SettingsGroup]?: DeepPartial<Settings[Group]> };

type DeepPartial<Value> = Value extends string | number | boolean | readonly unknown[]
  ? Value
  : { readonly [Name in keyof Value]?: DeepPartial<Value[Name]> };

export type SettingsEvent =
  | { readonly kind: 'changed'; readonly settings: Settings; readonly before: Settings }
  /** Something could not be read or stored, for example the settings, a secret or the log. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** The problem with this code is over. */
  | { readonly kind: 'problemOver'; readonly code: ErrorCode };

export interface SettingsReader {
  readonly get: () => Settings;
  readonly listen: (listener: (event: SettingsEvent) => void) => () => void;
}

export interface SettingsEditor extends SettingsReader {
  /** Validates and applies an untrusted patch. */
  readonly change: (patch: unknown) => Outcome<Settings>;
}

/** Settings without secret values, as pages get them. */
export type RedactedSettings = Settings;

/**
 * Settings that a page may change directly. Servers, the proxy address and the model's paths have separate requests.
 */
export type PageSettingsPatch = Omit<SettingsPatch, 'endpoints' | 'proxy' | 'model'> & {
  readonly endpoints?: { readonly chosen: string } | undefined;
  readonly proxy?: Pick<ProxySettings, 'way'> | undefined;
  readonly model?:
    | Partial<Pick<ModelSettings, 'mirror' | 'idleMinutes' | 'chatWhileTalking'>>
    | undefined;
};

export function redactSettings(settings: Settings): RedactedSettings {
  const { chosen, list } = settings.endpoints;
  return { ...settings, endpoints: { chosen, list: list.map(redactProfile) } };
}

/**
 * Replaces header and query values with null, because they are often secrets; the query of the URL moves to the fields
 * first. A null that comes back keeps the stored value.
 */
export function redactProfile(profile: EndpointProfile): EndpointProfile {
  const withFields = moveQueryToFields(profile);
  return sealValues(withFields, unsealedValues(withFields));
}

/**
 * Restores the values that the page did not get, from the settings. Values stored with the token stay null. Stored
 * values never go to a different server.
 */
export function fillDraft(
  draft: ProfileDraft,
  known: EndpointProfile | undefined,
): Outcome<ProfileDraft> {
  const knownProfile = known === undefined ? undefined : moveQueryToFields(known);
  const headers = fillFields(draft.headers, knownProfile?.headers ?? {});
  const query = fillFields(draft.query, knownProfile?.query ?? {});
  if (headers === undefined || query === undefined) return failure('valueMissing');
  const filled = moveQueryToFields({ ...draft, headers, query });
  if (
    hasSealedValues(draft) &&
    known !== undefined &&
    serverOrigin(known) !== serverOrigin({ ...known, url: filled.url })
  ) {
    return failure('otherServer');
  }
  return { ok: true, value: filled };
}
