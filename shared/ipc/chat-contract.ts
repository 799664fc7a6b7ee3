import type { ChatMedia, ChatPatch, ChatView } from '../chat/chat-patch.ts';
import type { ChatSearchHit, ChatSummary, Part, PreparedAttachment } from '../chat/chat-thread.ts';
import type { AppError } from '../errors/app-error.ts';
import type { ChatOptions } from '../settings/chat-settings.ts';
import type { VoiceRecordingEvent } from '../settings/stored-voice.ts';
import type { Nothing } from './reply.ts';

interface Id {
  readonly id: string;
}

interface OfTurn {
  readonly turn: string;
}

/** Something is done, and what comes of it is posted as notices. */
interface Doing<Input> {
  readonly input: Input;
  readonly value: Nothing;
}

/** What a page may ask of written conversations: of the list, and of the one that is open. */
export interface ChatRequests {
  readonly chat: { readonly input: Nothing; readonly value: ChatView };
  readonly searchChats: {
    readonly input: { readonly query: string };
    readonly value: readonly ChatSearchHit[];
  };
  /** `chat` is the conversation that it was written in; it goes to no other one. */
  readonly sendChat: Doing<{ readonly parts: readonly Part[]; readonly chat?: string | undefined }>;
  /** Ends the answer that is coming; what has come is kept. */
  readonly stopChat: Doing<Nothing>;
  readonly retryChat: Doing<OfTurn>;
  /** Goes on with the newest answer, which had stopped in the middle. */
  readonly goOnChat: Doing<OfTurn>;
  readonly editChat: Doing<OfTurn & { readonly parts: readonly Part[] }>;
  readonly removeChatTurn: Doing<OfTurn>;
  readonly chooseChatBranch: Doing<{ readonly branch: string }>;
  readonly setChatOptions: Doing<ChatOptions>;
  /** Speaks an answer again; refused while a talk has the speaker. */
  readonly playChat: Doing<OfTurn>;
  readonly silenceChat: Doing<Nothing>;
  /** Opens an empty one; an `unkept` one is never written to the disk, whatever is set. */
  readonly beginChat: Doing<{ readonly unkept: boolean } | Nothing>;
  readonly openChat: Doing<Id>;
  readonly renameChat: Doing<Id & { readonly title: string }>;
  readonly pinChat: Doing<Id & { readonly pinned: boolean }>;
  readonly removeChat: Doing<Id>;
  /** A file that was picked, dropped or pasted, by its bytes: its path means nothing to the core. */
  readonly attachFile: {
    readonly input: { readonly name: string; readonly file: Uint8Array };
    readonly value: PreparedAttachment;
  };
  readonly forgetAttachment: Doing<{ readonly media: string }>;
  readonly chatMedia: { readonly input: { readonly media: string }; readonly value: ChatMedia };
  /** Listens until it is stopped; given up when its page goes away or a talk begins. */
  readonly recordClip: Doing<Nothing>;
  readonly attachClip: { readonly input: Nothing; readonly value: PreparedAttachment };
  readonly cancelClip: Doing<Nothing>;
}

export interface ChatNotices {
  readonly chatPatch: ChatPatch;
  readonly chatList: readonly ChatSummary[];
  readonly chatProblem: AppError;
  /** `stopped` where a talk, or something else that needs the microphone, ended it. */
  readonly clipRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
}
