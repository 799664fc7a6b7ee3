import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ChooseSavePlace, SavePlace, SaveWay } from '../../ports/saving.ts';
import { fileFailure } from './file-error.ts';
import { renameFile } from './rename-file.ts';
import { makeScratchFolder, rememberDraft } from './scratch-folder.ts';

let drafts = 0;

/** Written whole under another name beside it, so that a failure or a change of mind leaves what was there. */
export function createSavePlaces(way: SaveWay): ChooseSavePlace {
  return async (name) => {
    if (way.kind === 'download') return downloadPlace(name, way.offer);
    const path = await way.choose(name);
    return path === undefined ? undefined : placeAt(path);
  };
}

async function placeAt(path: string): Promise<SavePlace> {
  drafts += 1;
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${drafts}.draft`);
  const remembered = await rememberDraft(draft);
  const drop = async (): Promise<void> => {
    await rm(draft, { force: true }).catch(() => undefined);
    await remembered.forget();
  };
  return {
    draft,
    path,
    keep: async () => {
      try {
        await renameFile(draft, path);
        await remembered.forget();
        return { ok: true, value: { kind: 'file', path } };
      } catch (error) {
        await drop();
        return fileFailure(path, error);
      }
    },
    drop,
  };
}

/** It lies in a folder of its own until the browser has it. */
async function downloadPlace(
  name: string,
  offer: Extract<SaveWay, { kind: 'download' }>['offer'],
): Promise<SavePlace> {
  const scratch = await makeScratchFolder('download');
  const draft = join(scratch.path, name);
  return {
    draft,
    path: name,
    keep: () =>
      Promise.resolve({
        ok: true,
        value: { kind: 'download', href: offer(draft, name), name },
      }),
    drop: scratch.remove,
  };
}
