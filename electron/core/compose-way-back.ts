import { createStateFile } from '../adapters/files/state-file.ts';
import { stateFolder } from '../adapters/files/state-folder.ts';
import { cryptoRandom } from '../adapters/system/crypto-random.ts';
import { findUpdateGround } from '../adapters/updates/update-ground.ts';
import { WayBack } from '../controllers/way-back.ts';
import type { InstalledPackage } from '../ports/updates.ts';
import { composeRemoteChannel } from './compose-remote.ts';

/** The way back of a package, for a command: without a core, which takes time to load. */
export function composeWayBack({ version, file, resources }: InstalledPackage): WayBack {
  return new WayBack({
    running: version,
    ground: findUpdateGround({ resources, file, running: version }),
    file: createStateFile(stateFolder(), 'updates'),
    dice: cryptoRandom(),
    // Any word is an answer; this one changes nothing.
    isOpen: async () => (await composeRemoteChannel().ask('links status')).kind !== 'nobody',
  });
}
