import type { Part } from './chat-thread.ts';
import { appError } from '../errors/app-error.ts';
import type { AppError } from '../errors/app-error.ts';

/** Looked at before a file is read, by the page as well as by the core. */
export const maxPictureBytes = 50_000_000;
export const maxSoundBytes = 120_000_000;

/** What of the model's memory a clip may take: five minutes are about a third. */
export const maxClipSeconds = 300;

/** A file that a person picks, drops or pastes, before anything of it is read. */
export interface AttachmentFile {
  readonly name: string;
  readonly bytes: number;
}

/** Why a file is too large to be attached, or nothing. */
export function attachmentSizeError({ name, bytes }: AttachmentFile): AppError | undefined {
  const sound = isSoundFileName(name);
  const most = (sound ? maxSoundBytes : maxPictureBytes) / 1_000_000;
  const size = Math.ceil(bytes / 1_000_000);
  if (bytes <= most * 1_000_000) return undefined;
  return appError(sound ? 'soundHeavy' : 'pictureHeavy', { name, most, size });
}

export function isSoundFileName(name: string): boolean {
  return /\.wave?$/iu.test(name);
}

/** A picture or sound that is ready to be sent. */
export interface PreparedAttachment {
  readonly part: Exclude<Part, { type: 'text' }>;
  /** Something worth knowing about what the model will get of it. */
  readonly notice?: AppError | undefined;
}
