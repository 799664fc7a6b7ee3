import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ChooseSavePlace, SavePlace, SaveWay } from '../../ports/saving.ts';
import { fileFailure } from './file-error.ts';
import { renameFile } from './rename-file.ts';

let drafts = 0;

/** Written whole under another name beside it, so that a failure or a change of mind leaves what was there. */
export function createSavePlaces(way: SaveWay): ChooseSavePlace {
  return async (name) => {
    if (way.kind === 'download') return downloadPlace(name, way.offer);
    const path = await way.choose(name);
    return path === undefined ? undefined : placeAt(path);
  };
}

function placeAt(path: string): SavePlace {
  drafts += 1;
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${drafts}.draft`);
  const drop = (): Promise<void> => rm(draft, { force: true }).catch(() => undefined);
  return {
    draft,
    path,
    keep: async () => {
      try {
        await renameFile(draft, path);
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
  const folder = await mkdtemp(join(tmpdir(), 'parley-download-'));
  const draft = join(folder, name);
  return {
    draft,
    path: name,
    keep: () =>
      Promise.resolve({
        ok: true,
        value: { kind: 'download', href: offer(draft, name), name },
      }),
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}
