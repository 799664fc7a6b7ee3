import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The host of Electron's releases and of electron-builder's tools. */
const downloadHost = 'github.com';

/** @returns {Promise<string | undefined>} why downloads are impossible here */
export const noDownloads = async () => {
  if ((process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '') !== '') {
    return 'ELECTRON_OVERRIDE_DIST_PATH says that this machine downloads nothing';
  }
  const found = await Promise.race([
    lookup(downloadHost).catch(() => undefined),
    delay(3000, undefined, { ref: false }),
  ]);
  return found === undefined ? `${downloadHost} cannot be reached` : undefined;
};
