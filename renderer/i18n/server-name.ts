import type { TFunction } from 'i18next';
import { embeddedId, embeddedProfile } from '../../shared/settings/endpoint-profile.ts';

/** A server as the person called it; the demonstration was named by nobody, and has a name in every language. */
export function serverName(t: TFunction, name: string): string {
  return name === embeddedProfile.name ? t('settings.servers.demonstration') : name;
}

/** How tapes name the server that Parley carries, whichever host recorded them. */
const tapedDemonstrations: ReadonlySet<string> = new Set([
  embeddedId,
  embeddedProfile.name,
  'parley:demonstration',
]);

export const isTapedDemonstration = (server: string): boolean => tapedDemonstrations.has(server);

/** The server of a tape: its address, for a tape knows no names. */
export function tapedServerName(t: TFunction, server: string): string {
  return isTapedDemonstration(server) ? t('settings.servers.demonstration') : server;
}
