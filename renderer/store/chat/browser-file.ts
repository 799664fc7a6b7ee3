import {
  isSoundFileName,
  maxPictureBytes,
  maxSoundBytes,
} from '../../../shared/chat/attachment-limits.ts';
import type { ChatNote } from './chat-ui-state.ts';

/** Of a browser's file, what is needed: its size is known before anything of it is read. */
export type BrowserFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

const megabyte = 1_000_000;

/** Why a file is too large to be attached, or nothing. */
export function attachmentProblem({ name, size }: BrowserFile): ChatNote | undefined {
  const sound = isSoundFileName(name);
  const most = sound ? maxSoundBytes : maxPictureBytes;
  if (size <= most) return undefined;
  return {
    kind: sound ? 'soundTooLarge' : 'pictureTooLarge',
    name,
    size: Math.ceil(size / megabyte),
    most: most / megabyte,
  };
}

/** Nothing where it went away meanwhile, or is a folder. */
export async function readBrowserFile(file: BrowserFile): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
