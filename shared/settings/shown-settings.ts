import type { Settings, SettingsPatch } from './settings.ts';
import { showProfile } from './shown-profile.ts';
import type { ShownProfile } from './shown-profile.ts';

/** The settings as a page may see them. */
export type ShownSettings = Omit<Settings, 'endpoints'> & {
  readonly endpoints: { readonly chosen: string; readonly list: readonly ShownProfile[] };
};

/** What a page may change at once; servers have requests of their own. */
export type PagePatch = Omit<SettingsPatch, 'endpoints'> & {
  readonly endpoints?: { readonly chosen: string } | undefined;
};

export function showSettings(settings: Settings): ShownSettings {
  const { chosen, list } = settings.endpoints;
  return { ...settings, endpoints: { chosen, list: list.map(showProfile) } };
}
