import { join } from 'node:path';
import type { Log } from '../../../shared/ports/log.ts';
import type { Proxies } from '../../../shared/ports/sockets.ts';
import type { RunningPackage } from '../../../shared/updates/update-feed.ts';
import { AppImage, type UpdatePlace } from '../../platform/updates/app-image.ts';
import { findInstallation, updateFeedName } from '../../platform/updates/installation.ts';
import {
  createUpdateSource,
  readUpdateSettings,
  type UpdateSource,
} from '../../platform/updates/update-source.ts';

/** How this installation gets new versions. */
export type UpdateMethod =
  | { readonly way: 'none' | 'system' }
  | { readonly way: 'tells'; readonly fileEnd: string; readonly source: UpdateSource }
  | {
      readonly way: 'replaces';
      readonly fileEnd: string;
      readonly source: UpdateSource;
      readonly place: UpdatePlace;
    };

interface Around {
  readonly folder: string;
  readonly log: Log;
  readonly proxies: Proxies;
}

/** Finds how to update: not at all without a packaged feed or if the system updates Parley. */
export function findUpdates(
  runningPackage: RunningPackage | undefined,
  { folder, log, proxies }: Around,
): UpdateMethod {
  if (runningPackage === undefined) return { way: 'none' };
  const { resources, version } = runningPackage;
  const found = findInstallation(runningPackage);
  if (found.way === 'system') return found;
  const settings = readUpdateSettings(resources, (why) => {
    log.write('warn', why);
  });
  if (settings === undefined) return { way: 'none' };
  const { fileEnd } = found;
  const sourceIn = (downloads: string) =>
    createUpdateSource(settings, { folder: downloads, feedName: updateFeedName(), proxies });
  if (found.way === 'tells')
    return { way: 'tells', fileEnd, source: sourceIn(join(folder, 'updates')) };
  const place = new AppImage(found.image, version);
  return { way: 'replaces', fileEnd, source: sourceIn(place.downloads), place };
}
