import type { TFunction } from 'i18next';
import { embeddedId, embeddedProfile } from '../../shared/settings/endpoint-profile.ts';

/** What stands on tapes for the server that Parley carries, whichever host recorded them. */
const carried: ReadonlySet<string> = new Set([
  embeddedId,
  embeddedProfile.name,
  'parley:demonstration',
]);

/** The server of a tape: its address, for a tape knows no names. */
export function serverText(server: string, t: TFunction): string {
  return carried.has(server) ? t('settings.servers.demonstration') : server;
}
