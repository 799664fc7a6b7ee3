import { lookup } from 'node:dns/promises';
import { setTimeout as rest } from 'node:timers/promises';

/** Where Electron and what electron-builder packs with come from. */
const downloadsFrom = 'github.com';

/** @returns {Promise<string | undefined>} why nothing can be downloaded here */
export const noDownloads = async () => {
  if ((process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '') !== '') {
    return 'ELECTRON_OVERRIDE_DIST_PATH says that this machine downloads nothing';
  }
  const found = await Promise.race([
    lookup(downloadsFrom).catch(() => undefined),
    rest(3000, undefined, { ref: false }),
  ]);
  return found === undefined ? `${downloadsFrom} cannot be reached` : undefined;
};
