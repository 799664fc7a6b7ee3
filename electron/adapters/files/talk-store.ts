import { join } from 'node:path';
import { removePath } from './remove-path.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { TalkStore } from '../../ports/talk-store.ts';
import { fileFailure } from './file-error.ts';
import { TextFolders } from './text-folders.ts';
import { writeAtomically } from './write-atomically.ts';

const textName = 'talk.json';
const maxPictureBytes = 16 * 1024 * 1024;

/** One folder for each talk: `talks/<stamp>/talk.json`, and the pictures beside it. */
export function createTalkStore(stateFolder: string): TalkStore {
  const path = join(stateFolder, 'talks');
  const folders = new TextFolders(path, textName, isPlainName);
  const at = (id: string, name = ''): string => join(path, id, name);

  const write = (id: string, name: string, content: Uint8Array | string) =>
    orFailure(at(id, name), async () => {
      if (!isPlainName(id) || !isPlainName(name)) throw new Error('its name is none of Parley’s');
      await writeAtomically(at(id, name), content);
      return undefined;
    });

  return {
    path,
    list: () => orFailure(path, () => folders.list()),
    read: (id) => orFailure(at(id, textName), () => folders.read(id)),
    write: (id, text) => write(id, textName, text),
    writePicture: write,
    readPicture: (id, file) =>
      orFailure(at(id, file), async () => {
        if (!isPlainName(file)) throw new Error('its name is none of Parley’s');
        return new Uint8Array((await folders.readFile(id, file, maxPictureBytes)).bytes);
      }),
    remove: (id) =>
      orFailure(at(id), async () => {
        if (isPlainName(id)) await removePath(at(id));
        return undefined;
      }),
  };
}

/** Without a way in it. What begins with a point is no talk. */
function isPlainName(name: string): boolean {
  return /^[^./\\\0][^/\\\0]{0,254}$/u.test(name);
}

async function orFailure<Value>(path: string, work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return fileFailure(path, error);
  }
}
