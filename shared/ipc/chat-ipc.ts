import { z } from 'zod';
import {
  callDecisions,
  maxSoundBytes,
  type ChatMedia,
  type ChatPatch,
  type ChatView,
  type ChatSearchHit,
  type ChatSummary,
  type Part,
  type PreparedAttachment,
} from '../chat/chat-thread.ts';
import { chatSettingsSchema, partSchema } from '../chat/chat-thread-schema.ts';
import type { AppError } from '../errors/app-error.ts';
import type { PastPassage } from '../memory/memory-view.ts';
import type { VoiceRecordingEvent } from '../settings/audio-settings.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';
import { fileBytes, partId, passagePlace, passagePlaces } from './request-schemas.ts';

/** 64 pictures take at least half of the documented context. */
const parts: z.ZodType<readonly Part[]> = z.array(partSchema).min(1).max(64);

const chatById = z.strictObject({ id: partId });
const turnById = z.strictObject({ turn: partId });
const mediaById = z.strictObject({ media: partId });

/** Requests about written conversations. Changes follow as notices. */
export const chatRequests = {
  chat: request(noInput).answers<ChatView>().withChangedBy('chatPatch', 'chatList'),
  searchChats: request(z.strictObject({ query: z.string().max(1000) })).answers<
    readonly ChatSearchHit[]
  >(),
  /** `chat` is the conversation that the message was written in. If another one is open, the message is refused. */
  sendChat: request(
    z.strictObject({ parts, chat: partId.optional(), leaveOut: passagePlaces.optional() }),
  ),
  /** Passages of earlier conversations that would be sent with a message. */
  findPast: request(z.strictObject({ text: z.string().max(100_000) })).answers<
    readonly PastPassage[]
  >(),
  /** Removes a passage from a question, so that later requests do not send it. */
  forgetPassage: request(z.strictObject({ turn: partId, place: passagePlace })),
  /** Stops the current answer, and keeps its text so far. */
  stopChat: request(noInput),
  retryChat: request(turnById),
  /** Continues the newest answer after it stopped early. */
  goOnChat: request(turnById),
  editChat: request(z.strictObject({ turn: partId, parts })),
  /** The user allows or denies a call of a tool. */
  decideChatCall: request(z.strictObject({ call: partId, decision: z.enum(callDecisions) })),
  /** `chat` is the conversation of the turn, because another one may be open by now. */
  removeChatTurn: request(z.strictObject({ chat: partId, turn: partId })),
  chooseChatBranch: request(z.strictObject({ branch: partId })),
  setChatOptions: request(chatSettingsSchema),
  /** Plays the speech of an answer. Refused while a talk uses the speaker. */
  playChat: request(turnById),
  silenceChat: request(noInput),
  /** Opens an empty conversation. An `incognito` one is never stored, regardless of the settings. */
  beginChat: request(z.strictObject({ incognito: z.boolean() }).optional()),
  /** Shows the version that has this turn. */
  openChat: request(z.strictObject({ id: partId, turn: partId.optional() })),
  renameChat: request(z.strictObject({ id: partId, title: z.string().max(1000) })),
  pinChat: request(z.strictObject({ id: partId, pinned: z.boolean() })),
  removeChat: request(chatById),
  /** A picked, dropped or pasted file. The core checks its size once more, with an error that names the file. */
  attachFile: request(
    z.strictObject({ name: z.string().max(1000), file: fileBytes('a file', maxSoundBytes) }),
  ).answers<PreparedAttachment>(),
  forgetAttachment: request(mediaById),
  chatMedia: request(mediaById).answers<ChatMedia>(),
  /**
   * Records until stopped or until the maximum length. The recording is discarded when the page closes or a talk starts.
   */
  recordClip: request(noInput),
  attachClip: request(noInput).answers<PreparedAttachment>(),
  cancelClip: request(noInput),
};

export type ChatHandlers = HandlersOf<typeof chatRequests>;

export interface ChatNotices {
  readonly chatPatch: ChatPatch;
  readonly chatList: readonly ChatSummary[];
  readonly chatProblem: AppError;
  /** `stopped` if a talk or another recorder took the microphone. */
  readonly clipRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
}
