import { z } from 'zod';
import { maxSoundBytes } from '../chat/attachment-limits.ts';
import { chatOptionsCheck, partCheck } from '../chat/chat-thread-checks.ts';
import { bytesCheck } from './bytes-check.ts';
import type { ChatRequests } from './chat-contract.ts';

type Checks = {
  readonly [Name in keyof ChatRequests]: z.ZodType<ChatRequests[Name]['input']>;
};

const id = z.string().min(1).max(64);
const turn = id;
/** More pictures than a model can look at anyway. */
const parts = z.array(partCheck).min(1).max(64);

export const chatChecks: Checks = {
  chat: z.undefined(),
  searchChats: z.strictObject({ query: z.string().max(1000) }),
  sendChat: z.strictObject({ parts, chat: id.optional() }),
  stopChat: z.undefined(),
  retryChat: z.strictObject({ turn }),
  goOnChat: z.strictObject({ turn }),
  editChat: z.strictObject({ turn, parts }),
  removeChatTurn: z.strictObject({ turn }),
  chooseChatBranch: z.strictObject({ branch: id }),
  setChatOptions: chatOptionsCheck,
  playChat: z.strictObject({ turn }),
  silenceChat: z.undefined(),
  beginChat: z.strictObject({ unkept: z.boolean() }).optional(),
  openChat: z.strictObject({ id }),
  renameChat: z.strictObject({ id, title: z.string().max(1000) }),
  pinChat: z.strictObject({ id, pinned: z.boolean() }),
  removeChat: z.strictObject({ id }),
  // How large which kind of file may be the attachments say, in a sentence with its name.
  attachFile: z.strictObject({
    name: z.string().max(1000),
    file: bytesCheck('a file', maxSoundBytes),
  }),
  forgetAttachment: z.strictObject({ media: id }),
  chatMedia: z.strictObject({ media: id }),
  recordClip: z.undefined(),
  attachClip: z.undefined(),
  cancelClip: z.undefined(),
};
