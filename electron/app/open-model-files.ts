import { join, resolve } from 'node:path';
import type { Proxies } from '../../shared/ports/sockets.ts';
import { ModelFiles } from '../model/model-files.ts';
import {
  readModelCatalogue,
  createModelDownload,
  createModelDisk,
} from '../platform/model/model-storage.ts';
import type { Machine } from './machine.ts';

/** The model's files in a folder that the user chose, or in the state folder if the path is empty. */
export function openModelFiles(
  machine: Pick<Machine, 'folder' | 'clock' | 'files' | 'stateFile' | 'log' | 'lifetime'>,
  proxies: Proxies,
  folder: string,
): ModelFiles {
  const catalogue = readModelCatalogue((why) => machine.log.write('warn', why));
  const files = new ModelFiles(
    {
      catalogue,
      disk: createModelDisk(machine.files),
      fetch: createModelDownload(proxies),
      clock: machine.clock,
      verifiedFiles: machine.stateFile('model-files'),
    },
    resolve(join(machine.folder, 'models', catalogue.revision)),
    // Absolute, because verified files are remembered by their folder.
    folder === '' ? '' : resolve(folder),
  );
  machine.lifetime.add(() => files.pause(), 'model files');
  return files;
}
