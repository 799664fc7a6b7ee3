import type { Settings, SettingsPatch } from './settings.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { redactProfile } from './redacted-profile.ts';
import type { RedactedProfile } from './redacted-profile.ts';

/** The settings as a page may see them. */
export type RedactedSettings = Omit<Settings, 'endpoints'> & {
  readonly endpoints: { readonly chosen: string; readonly list: readonly RedactedProfile[] };
};

/** What a page may change at once; servers, and the address of a proxy, have requests of their own. */
export type PageSettingsPatch = Omit<SettingsPatch, 'endpoints' | 'proxy'> & {
  readonly endpoints?: { readonly chosen: string } | undefined;
  readonly proxy?: Pick<ProxySettings, 'way'> | undefined;
};

export function redactSettings(settings: Settings): RedactedSettings {
  const { chosen, list } = settings.endpoints;
  return { ...settings, endpoints: { chosen, list: list.map(redactProfile) } };
}
