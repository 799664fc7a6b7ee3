import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noDownloads } from '../lib/no-downloads.mjs';
import { inRoot } from '../lib/root.mjs';
import { isExecutable } from '../lib/which.mjs';
import { processorOf } from '../package/elf-file.mjs';

/**
 * An Electron that this machine only packs, and cannot run.
 * @param {import('./native-target.mjs').Architecture} architecture
 * @returns {Promise<{ version: string, folder?: string } | { reason: string }>} without a folder it is downloaded
 */
export const foreignElectron = async (architecture) => {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  const program = join(given, 'electron');
  if (given !== '' && isExecutable(program)) {
    const processor = processorOf(program);
    if (processor === architecture) {
      const version = readFileSync(join(given, 'version'), 'utf8').trim().replace(/^v/, '');
      return { version, folder: given };
    }
    return { reason: `the Electron that ELECTRON_OVERRIDE_DIST_PATH names is for ${processor}` };
  }
  const sealed = await noDownloads();
  if (sealed !== undefined) return { reason: `Electron for it is downloaded, and ${sealed}` };
  /** @type {{ version: string }} */
  const { version } = JSON.parse(
    readFileSync(inRoot('node_modules', 'electron', 'package.json'), 'utf8'),
  );
  return { version };
};
