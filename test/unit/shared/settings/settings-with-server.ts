import { computerProfile, embeddedProfile } from '../../../../shared/settings/endpoint-profile.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings, type Settings } from '../../../../shared/settings/settings.ts';

/** A server with every field set. */
export const profile = {
  id: 'home',
  name: 'Home',
  kind: 'local',
  url: 'https://gateway.lan:8006',
  dialect: 'auto',
  headers: { 'X-Team': 'blue' },
  query: { model: 'o' },
  hasToken: true,
} as const;

export const settingsWithServer: Settings = {
  ...defaultSettings,
  endpoints: { chosen: 'home', list: [embeddedProfile, profile, computerProfile] },
};

export function change(settings: Settings, patch: unknown): Settings {
  const changed = changeSettings(settings, patch);
  if (!changed.ok) throw new Error(changed.error.code);
  return changed.value;
}
