import type { TFunction } from 'i18next';
import { embeddedProfile } from '../../shared/settings/endpoint-profile.ts';

/** A server as the person called it; the demonstration was named by nobody, and has a name in every language. */
export function endpointName(t: TFunction, name: string): string {
  return name === embeddedProfile.name ? t('settings.servers.demonstration') : name;
}
