import { z } from 'zod';
import type { ChatMedia, ChatPatch, ChatView } from '../chat/chat-patch.ts';
import { chatSettingsCheck, partCheck } from '../chat/chat-thread-checks.ts';
import {
  type ChatSearchHit,
  type ChatSummary,
  maxSoundBytes,
  type Part,
  type PreparedAttachment,
} from '../chat/chat-thread.ts';
import type { AppError } from '../errors/app-error.ts';
import type { VoiceRecordingEvent } from '../settings/stored-voice.ts';
import { fileBytes, type HandlersOf, noInput, request } from './request-definition.ts';

const id = z.string().min(1).max(64);
/** More pictures than a model can look at anyway. */
const parts: z.ZodType<readonly Part[]> = z.array(partCheck).min(1).max(64);

const chatById = z.strictObject({ id });
const turnById = z.strictObject({ turn: id });
const mediaById = z.strictObject({ media: id });

/**
 * What a page may ask of written conversations: of the list, and of the one that is open. What comes of a request without
 * a value is posted.
 */
export const chatRequests = {
  chat: request(noInput).answers<ChatView>().changedBy('chatPatch', 'chatList'),
  searchChats: request(z.strictObject({ query: z.string().max(1000) })).answers<
    readonly ChatSearchHit[]
  >(),
  /** `chat` is the conversation that it was written in; it goes to no other one. */
  sendChat: request(z.strictObject({ parts, chat: id.optional() })),
  /** Ends the answer that is coming; what has come is kept. */
  stopChat: request(noInput),
  retryChat: request(turnById),
  /** Goes on with the newest answer, which had stopped in the middle. */
  goOnChat: request(turnById),
  editChat: request(z.strictObject({ turn: id, parts })),
  removeChatTurn: request(turnById),
  chooseChatBranch: request(z.strictObject({ branch: id })),
  setChatOptions: request(chatSettingsCheck),
  /** Speaks an answer again; refused while a talk has the speaker. */
  playChat: request(turnById),
  silenceChat: request(noInput),
  /** Opens an empty one; an `unkept` one is never written to the disk, whatever is set. */
  beginChat: request(z.strictObject({ unkept: z.boolean() }).optional()),
  openChat: request(chatById),
  renameChat: request(z.strictObject({ id, title: z.string().max(1000) })),
  pinChat: request(z.strictObject({ id, pinned: z.boolean() })),
  removeChat: request(chatById),
  /**
   * A file that was picked, dropped or pasted, by its bytes: its path means nothing to the core. How large which kind may
   * be the attachments say, in a sentence with its name.
   */
  attachFile: request(
    z.strictObject({ name: z.string().max(1000), file: fileBytes('a file', maxSoundBytes) }),
  ).answers<PreparedAttachment>(),
  forgetAttachment: request(mediaById),
  chatMedia: request(mediaById).answers<ChatMedia>(),
  /** Listens until it is stopped; given up when its page goes away or a talk begins. */
  recordClip: request(noInput),
  attachClip: request(noInput).answers<PreparedAttachment>(),
  cancelClip: request(noInput),
};

export type ChatHandlers = HandlersOf<typeof chatRequests>;

export interface ChatNotices {
  readonly chatPatch: ChatPatch;
  readonly chatList: readonly ChatSummary[];
  readonly chatProblem: AppError;
  /** `stopped` where a talk, or something else that needs the microphone, ended it. */
  readonly clipRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
}
