import type { TFunction } from 'i18next';
import {
  computerProfile,
  embeddedId,
  embeddedProfile,
} from '../../shared/settings/endpoint-profile.ts';

/** The name of a server; the demonstration has a translated name. */
export function serverName(t: TFunction, name: string): string {
  if (name === computerProfile.name) return t('model.name');
  return name === embeddedProfile.name ? t('settings.servers.demonstration') : name;
}

/** Names of the embedded server on tapes, by host and version. */
const demonstrationServers: ReadonlySet<string> = new Set([
  embeddedId,
  embeddedProfile.name,
  'parley:demonstration',
]);

export const isDemonstrationServer = (server: string): boolean => demonstrationServers.has(server);

/** The address of a tape's server, because tapes do not store names. */
export function tapeServerName(t: TFunction, server: string): string {
  return isDemonstrationServer(server) ? t('settings.servers.demonstration') : server;
}
