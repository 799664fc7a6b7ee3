import {
  isSoundName,
  mostPictureBytes,
  mostSoundBytes,
} from '../../shared/chat/attachment-limits.ts';
import type { ChatNote } from './chat-view.ts';

/** Of a browser's file, what is needed: its size is known before anything of it is read. */
export type OfferedFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

const megabyte = 1_000_000;

/** Why a file is too large to be attached, or nothing. */
export function fileProblem({ name, size }: OfferedFile): ChatNote | undefined {
  const sound = isSoundName(name);
  const most = sound ? mostSoundBytes : mostPictureBytes;
  if (size <= most) return undefined;
  return {
    kind: sound ? 'soundTooLarge' : 'pictureTooLarge',
    name,
    size: Math.ceil(size / megabyte),
    most: most / megabyte,
  };
}

/** Nothing where it went away meanwhile, or is a folder. */
export async function readFile(file: OfferedFile): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
