import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noDownloads } from '../lib/no-downloads.mjs';
import { inRoot } from '../lib/root.mjs';
import { isExecutable } from '../lib/which.mjs';
import { processorOf } from '../package/elf-file.mjs';

/**
 * Finds an Electron for another processor, to pack but not to run.
 * @param {import('./native-target.mjs').Architecture} architecture
 * @returns {Promise<{ version: string, folder?: string } | { reason: string }>} without a folder, electron-builder downloads it
 */
export const foreignElectron = async (architecture) => {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  const program = join(override, 'electron');
  if (override !== '' && isExecutable(program)) {
    const processor = processorOf(program);
    if (processor === architecture) {
      const version = readFileSync(join(override, 'version'), 'utf8').trim().replace(/^v/, '');
      return { version, folder: override };
    }
    return { reason: `the Electron that ELECTRON_OVERRIDE_DIST_PATH names is for ${processor}` };
  }
  const problem = await noDownloads();
  if (problem !== undefined) return { reason: `its Electron must be downloaded, and ${problem}` };
  /** @type {{ version: string }} */
  const { version } = JSON.parse(
    readFileSync(inRoot('node_modules', 'electron', 'package.json'), 'utf8'),
  );
  return { version };
};
