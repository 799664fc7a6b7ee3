import { join } from 'node:path';
import type { Log } from '../../../shared/ports/log.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { RunningPackage } from '../../../shared/updates/update-feed.ts';
import {
  AppImage,
  findInstallation,
  updateFeedName,
  type UpdatePlace,
} from '../../platform/updates/installation.ts';
import {
  createUpdateSource,
  readUpdateSettings,
  type UpdateSource,
} from '../../platform/updates/update-source.ts';

/** How this installation gets new versions. */
export type UpdateMethod =
  | { readonly kind: 'none' | 'system' }
  | { readonly kind: 'announces'; readonly packageSuffix: string; readonly source: UpdateSource }
  | {
      readonly kind: 'installs';
      readonly packageSuffix: string;
      readonly source: UpdateSource;
      readonly place: UpdatePlace;
    };

interface UpdateEnvironment {
  readonly folder: string;
  readonly log: Log;
  readonly proxies: Proxies;
}

/**
 * Finds how this installation is updated. A package manager or store updates a deb, rpm, Flatpak or Snap, and a build
 * without the address of a feed has no updates.
 */
export function findUpdates(
  runningPackage: RunningPackage | undefined,
  { folder, log, proxies }: UpdateEnvironment,
): UpdateMethod {
  if (runningPackage === undefined) return { kind: 'none' };
  const { resources, version } = runningPackage;
  const found = findInstallation(runningPackage);
  if (found.kind === 'system') return found;
  const settings = readUpdateSettings(resources, (reason) => log.write('warn', reason));
  if (settings === undefined) return { kind: 'none' };
  const { packageSuffix } = found;
  const sourceIn = (downloads: string) =>
    createUpdateSource(settings, { folder: downloads, feedName: updateFeedName(), proxies });
  if (found.kind === 'announces')
    return { kind: 'announces', packageSuffix, source: sourceIn(join(folder, 'updates')) };
  const place = new AppImage(found.image, version);
  return { kind: 'installs', packageSuffix, source: sourceIn(place.downloads), place };
}
