import type {
  ChatConnectionState,
  ChatPatch,
  ChatView,
  SentHistory,
} from '../../shared/chat/chat-patch.ts';
import type {
  AssistantTurn,
  ChatSearchHit,
  ChatSummary,
  ChatThread,
  PreparedAttachment,
} from '../../shared/chat/chat-thread.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import {
  type ChatSettings,
  chatSettings,
  withSpokenVoice,
} from '../../shared/settings/chat-settings.ts';
import type { StoredVoice } from '../../shared/settings/stored-voice.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';

/** All that the Chat screen shows. */
export interface ChatUiState {
  /** None until the core has sent one. */
  readonly conversation: ChatThread | undefined;
  readonly options: ChatSettings;
  readonly list: readonly ChatSummary[];
  readonly line: ChatConnectionState;
  readonly sent: SentHistory | undefined;
  readonly speaking: Speaking | undefined;
  readonly search: ChatSearch;
  /** What was written and not sent, by conversation: nobody loses it by looking elsewhere. */
  readonly drafts: Readonly<Record<string, Draft>>;
  /** What is being made of sent messages, by turn. */
  readonly edits: Readonly<Record<string, string>>;
  readonly clip: 'none' | 'opening' | 'recording' | 'full' | 'attaching';
  /** The latest ones, each until it is dismissed. */
  readonly notes: readonly ChatNote[];
  readonly voices: readonly StoredVoice[];
  /** It was found in the history, and is to be brought into sight. */
  readonly wantedTurn: string | undefined;
  /** A piece of an answer was lost on its way, so that all has to be asked for anew. */
  readonly stale: boolean;
}

/** So many characters of the turn's text have been heard. */
interface Speaking {
  readonly turn: string;
  readonly heard: number;
}

export interface ChatSearch {
  readonly query: string;
  /** None while nothing is searched, or the answer is on its way. */
  readonly hits: readonly ChatSearchHit[] | undefined;
}

export interface Draft {
  readonly text: string;
  readonly attached: readonly DraftItem[];
  /** Files that are being read. */
  readonly reading: number;
  /** The person has sent it while files were being read: it goes when they are. */
  readonly sendWhenRead: boolean;
}

export interface DraftItem extends PreparedAttachment {
  readonly name: string;
}

/** Something the person should know, told by the core or by us. */
export type ChatNote =
  /** `name` is of the file that it is about. */
  | { readonly kind: 'said'; readonly error: AppError; readonly name?: string }
  | {
      readonly kind: 'pictureTooLarge' | 'soundTooLarge';
      readonly name: string;
      readonly size: number;
      readonly most: number;
    }
  | { readonly kind: 'unreadable'; readonly name: string }
  | { readonly kind: 'tooMany'; readonly most: number }
  | { readonly kind: 'tooLong' | 'clipStopped' | 'notCopied' };

export const initialChatUiState: ChatUiState = {
  conversation: undefined,
  options: withSpokenVoice(chatSettings.initial, 'none'),
  list: [],
  line: { phase: 'idle' },
  sent: undefined,
  speaking: undefined,
  search: { query: '', hits: undefined },
  drafts: {},
  edits: {},
  clip: 'none',
  notes: [],
  voices: [],
  wantedTurn: undefined,
  stale: false,
};

export const emptyDraft: Draft = { text: '', attached: [], reading: 0, sendWhenRead: false };

/** One that has no message yet has no place of its own either: a new one goes on with its draft. */
export function draftKey(conversation: ChatThread | undefined): string {
  return conversation === undefined || conversation.turns.length === 0 ? 'new' : conversation.id;
}

/**
 * Where the draft of a conversation is now that was open at some time: with its first message a new one
 * has got a place of its own. Of one that is gone it goes on as a new one.
 */
export function draftKeyOf({ conversation, list }: ChatUiState, id: string | undefined): string {
  if (id === conversation?.id) return draftKey(conversation);
  return list.find((head) => head.id === id)?.id ?? 'new';
}

/**
 * What is being written stays in sight where its conversation gets, or loses, a place of its own, and
 * where it was begun before it was known which one is open.
 */
function withDraftCarriedOver(before: ChatUiState, after: ChatUiState): ChatUiState {
  const [from, to] = [draftKey(before.conversation), draftKey(after.conversation)];
  const draft = after.drafts[from];
  const another = before.conversation && before.conversation.id !== after.conversation?.id;
  if (from === to || another === true || draft === undefined) return after;
  const { [from]: _moved, ...others } = after.drafts;
  return { ...after, drafts: { ...others, [to]: joined(draft, others[to] ?? emptyDraft) } };
}

function joined(one: Draft, other: Draft): Draft {
  return {
    text: [one.text, other.text].filter((text) => text !== '').join('\n\n'),
    attached: [...one.attached, ...other.attached],
    reading: one.reading + other.reading,
    sendWhenRead: one.sendWhenRead && other.sendWhenRead,
  };
}

export function currentDraft({ drafts, conversation }: ChatUiState): Draft {
  return drafts[draftKey(conversation)] ?? emptyDraft;
}

/** An answer is on its way; it is always the last turn. */
export function isAnswering({ conversation }: ChatUiState): boolean {
  const last = conversation?.turns.at(-1);
  return last?.role === 'assistant' && last.state.kind === 'streaming';
}

const maxNotes = 3;

export function withChatNote(notes: readonly ChatNote[], note: ChatNote): readonly ChatNote[] {
  const key = chatNoteKey(note);
  return [...notes.filter((known) => chatNoteKey(known) !== key), note].slice(-maxNotes);
}

export function chatNoteKey(note: ChatNote): string {
  return JSON.stringify(note);
}

type ClipNotice = Extract<BridgeNotice, { name: 'clipRecording' }>['payload'];

/** All of it, for a page that comes in the middle. */
export function applyChatSnapshot(
  chat: ChatUiState,
  { conversation, options, list }: ChatView,
): ChatUiState {
  return withDraftCarriedOver(chat, { ...chat, conversation, options, list, stale: false });
}

/** One change of the open conversation; every turn but the one that changes stays the very same. */
export function applyChatPatch(chat: ChatUiState, patch: ChatPatch): ChatUiState {
  return withDraftCarriedOver(chat, patched(chat, patch));
}

function patched(chat: ChatUiState, patch: ChatPatch): ChatUiState {
  switch (patch.kind) {
    case 'replaced':
      return { ...chat, conversation: patch.conversation, sent: undefined };
    case 'options':
      return { ...chat, options: patch.options };
    case 'line':
      return { ...chat, line: patch.line };
    case 'sent':
      return { ...chat, sent: patch.sent };
    case 'caption':
      return { ...chat, speaking: patch.playing ? patch : undefined };
    case 'added':
      return withConversation(chat, ({ turns }) => ({ turns: [...turns, patch.turn] }));
    case 'titled':
      return withConversation(chat, () => ({ title: patch.title }));
    case 'text': {
      const known = answerOf(chat, patch.turn)?.text;
      if (known?.length !== patch.from) return { ...chat, stale: true };
      return withAnswer(chat, patch.turn, { text: known + patch.text });
    }
    case 'rewritten':
      return withAnswer(chat, patch.turn, { text: patch.text });
    case 'answer':
      return withAnswer(chat, patch.turn, { state: patch.state, stats: patch.stats });
    case 'speech':
      return withAnswer(chat, patch.turn, { speechSeconds: patch.seconds });
  }
}

/**
 * Levels are not here: they go past the view. Another page may be recording, and what is being attached
 * belongs to the recording no more.
 */
export function applyClipRecording(chat: ChatUiState, event: ClipNotice): ChatUiState {
  if (chat.clip === 'none' || chat.clip === 'attaching') return chat;
  switch (event.kind) {
    case 'level':
      return chat;
    case 'full':
      return { ...chat, clip: 'full' };
    case 'problem': {
      const note = { kind: 'said', error: event.error } as const;
      return { ...chat, notes: withChatNote(chat.notes, note) };
    }
    case 'stopped':
      return { ...chat, clip: 'none', notes: withChatNote(chat.notes, { kind: 'clipStopped' }) };
  }
}

function withConversation(
  chat: ChatUiState,
  change: (conversation: ChatThread) => Partial<ChatThread>,
): ChatUiState {
  const { conversation } = chat;
  if (conversation === undefined) return chat;
  return { ...chat, conversation: { ...conversation, ...change(conversation) } };
}

function answerOf({ conversation }: ChatUiState, id: string): AssistantTurn | undefined {
  const turn = conversation?.turns.findLast((turn) => turn.id === id);
  return turn?.role === 'assistant' ? turn : undefined;
}

function withAnswer(chat: ChatUiState, id: string, change: Partial<AssistantTurn>): ChatUiState {
  const answer = answerOf(chat, id);
  if (answer === undefined) return chat;
  return withConversation(chat, ({ turns }) => ({
    turns: turns.with(turns.lastIndexOf(answer), { ...answer, ...change }),
  }));
}
