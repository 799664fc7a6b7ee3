import type {
  ChatConnectionState,
  ChatPatch,
  ChatView,
  SentHistory,
  AssistantTurn,
  ChatSearchHit,
  ChatSummary,
  ChatThread,
  PreparedAttachment,
  ToolCall,
} from '../../shared/chat/chat-thread.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import {
  type ChatSettings,
  chatSettings,
  resolveUsualVoice,
} from '../../shared/settings/assistant-settings.ts';
import type { PastPassage } from '../../shared/memory/memory-view.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { StoredVoice } from '../../shared/settings/audio-settings.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';

export interface ChatUiState {
  /** Undefined until the core has sent it. */
  readonly conversation: ChatThread | undefined;
  readonly options: ChatSettings;
  readonly list: readonly ChatSummary[];
  readonly connection: ChatConnectionState;
  readonly sent: SentHistory | undefined;
  readonly speaking: Speaking | undefined;
  readonly search: ChatSearch;
  /** Unsent text and files by conversation, so that switching conversations loses nothing. */
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly edits: Readonly<Record<string, string>>;
  /** Passages of earlier conversations that would be sent with the draft. */
  readonly foundPast: readonly PastPassage[];
  readonly clip: 'none' | 'opening' | 'recording' | 'full' | 'attaching';
  /** The latest notes, each until it is dismissed. */
  readonly notes: readonly ChatNote[];
  readonly voices: readonly StoredVoice[];
  /** A turn found by the search, to be scrolled to. */
  readonly targetTurn: string | undefined;
  /** A piece of an answer is missing, so the whole conversation must be read again. */
  readonly stale: boolean;
  /** The list and the options were read. A conversation can be here before them, opened from the history. */
  readonly isRead: boolean;
}

/** How many characters of the turn's text have been heard. */
interface Speaking {
  readonly turn: string;
  readonly heard: number;
}

export interface ChatSearch {
  readonly query: string;
  /** Undefined without a search, or until its first reply. */
  readonly hits: readonly ChatSearchHit[] | undefined;
}

export interface Draft {
  readonly text: string;
  readonly attached: readonly DraftItem[];
  readonly reading: number;
  /** The conversations whose passages must not be sent with this draft. */
  readonly leftOut: readonly HistoryRef[];
  /** The user pressed Send while files were being read; the message goes when they are ready. */
  readonly sendWhenRead: boolean;
}

export interface DraftItem extends PreparedAttachment {
  readonly name: string;
}

export type ChatNote =
  | { readonly kind: 'failure'; readonly error: AppError; readonly name?: string }
  | {
      readonly kind: 'pictureTooLarge' | 'soundTooLarge';
      readonly name: string;
      readonly size: number;
      readonly limit: number;
    }
  | { readonly kind: 'unreadable'; readonly name: string }
  | { readonly kind: 'tooMany'; readonly limit: number }
  | { readonly kind: 'tooLong' | 'clipStopped' | 'notCopied' };

export const initialChatUiState: ChatUiState = {
  conversation: undefined,
  options: resolveUsualVoice(chatSettings.initial, 'none'),
  list: [],
  connection: { phase: 'idle' },
  sent: undefined,
  speaking: undefined,
  search: { query: '', hits: undefined },
  drafts: {},
  edits: {},
  foundPast: [],
  clip: 'none',
  notes: [],
  voices: [],
  targetTurn: undefined,
  stale: false,
  isRead: false,
};

export const emptyDraft: Draft = {
  text: '',
  attached: [],
  reading: 0,
  leftOut: [],
  sendWhenRead: false,
};

/** Empty conversations share the key `new`, so that a new conversation continues the draft of an empty one. */
export function draftKey(conversation: ChatThread | undefined): string {
  return conversation === undefined || conversation.turns.length === 0 ? 'new' : conversation.id;
}

/**
 * The key of a conversation's draft after an await: the first message changes the key, and a deletion makes it `new`.
 */
export function draftKeyFor({ conversation, list }: ChatUiState, id: string | undefined): string {
  if (id === conversation?.id) return draftKey(conversation);
  return list.find((head) => head.id === id)?.id ?? 'new';
}

/** Moves the visible draft when the open conversation's key changes. */
function withDraftMoved(before: ChatUiState, after: ChatUiState): ChatUiState {
  const [from, to] = [draftKey(before.conversation), draftKey(after.conversation)];
  const draft = after.drafts[from];
  const isOther = before.conversation && before.conversation.id !== after.conversation?.id;
  if (from === to || isOther === true || draft === undefined) return after;
  const { [from]: _moved, ...others } = after.drafts;
  return { ...after, drafts: { ...others, [to]: mergeDrafts(draft, others[to] ?? emptyDraft) } };
}

function mergeDrafts(first: Draft, other: Draft): Draft {
  return {
    text: [first.text, other.text].filter((text) => text !== '').join('\n\n'),
    attached: [...first.attached, ...other.attached],
    reading: first.reading + other.reading,
    leftOut: [...first.leftOut, ...other.leftOut],
    sendWhenRead: first.sendWhenRead && other.sendWhenRead,
  };
}

export function currentDraft({ drafts, conversation }: ChatUiState): Draft {
  return drafts[draftKey(conversation)] ?? emptyDraft;
}

/** A streaming answer is always the last turn. */
export function isAnswering({ conversation }: ChatUiState): boolean {
  const last = conversation?.turns.at(-1);
  return last?.role === 'assistant' && last.state.kind === 'streaming';
}

const maxNotes = 3;

export function withChatNote(notes: readonly ChatNote[], note: ChatNote): readonly ChatNote[] {
  const key = chatNoteKey(note);
  return [...notes.filter((known) => chatNoteKey(known) !== key), note].slice(-maxNotes);
}

/** Notes about files and the text of a draft. */
export function isDraftNote(note: ChatNote): boolean {
  return note.kind === 'failure'
    ? note.name !== undefined
    : note.kind !== 'clipStopped' && note.kind !== 'notCopied';
}

export function chatNoteKey(note: ChatNote): string {
  return JSON.stringify(note);
}

type ClipNotice = Extract<BridgeNotice, { name: 'clipRecording' }>['payload'];

export function applyChatSnapshot(
  chat: ChatUiState,
  { conversation, options, list, problems = [] }: ChatView,
): ChatUiState {
  // Later ones come as notices, and the user may have dismissed them.
  const earlier = chat.isRead ? [] : problems;
  const notes = earlier.reduce(
    (before, error) => withChatNote(before, { kind: 'failure', error }),
    chat.notes,
  );
  const read = { conversation, options, list, notes, stale: false, isRead: true };
  return withDraftMoved(chat, { ...chat, ...read });
}

/** Applies one change; unchanged turns keep their identity. */
export function applyChatPatch(chat: ChatUiState, patch: ChatPatch): ChatUiState {
  return withDraftMoved(chat, patchChat(chat, patch));
}

function patchChat(chat: ChatUiState, patch: ChatPatch): ChatUiState {
  switch (patch.kind) {
    case 'replaced':
      return { ...chat, conversation: patch.conversation, sent: undefined };
    case 'options':
      return { ...chat, options: patch.options };
    case 'line':
      return { ...chat, connection: patch.line };
    case 'sent':
      return { ...chat, sent: patch.sent };
    case 'caption':
      return { ...chat, speaking: patch.playing ? patch : undefined };
    case 'added':
      return withConversation(chat, ({ turns }) => ({ turns: [...turns, patch.turn] }));
    case 'titled':
      return withConversation(chat, () => ({ title: patch.title }));
    case 'text': {
      const known = findAnswer(chat, patch.turn)?.text;
      if (known?.length !== patch.from) return { ...chat, stale: true };
      return withAnswer(chat, patch.turn, { text: known + patch.text });
    }
    case 'rewritten':
      return withAnswer(chat, patch.turn, { text: patch.text });
    case 'answer':
      return withAnswer(chat, patch.turn, { state: patch.state, stats: patch.stats });
    case 'call':
      return withAnswer(chat, patch.turn, {
        calls: withCall(findAnswer(chat, patch.turn)?.calls ?? [], patch.call),
      });
    case 'speech':
      return withAnswer(chat, patch.turn, { speechSeconds: patch.seconds });
  }
}

function withCall(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[] {
  const known = calls.findIndex(({ id }) => id === call.id);
  return known === -1 ? [...calls, call] : calls.with(known, call);
}

/** Notices may belong to another page's recording; none applies once the clip is being attached. */
export function applyClipRecording(chat: ChatUiState, event: ClipNotice): ChatUiState {
  if (chat.clip === 'none' || chat.clip === 'attaching') return chat;
  switch (event.kind) {
    case 'level':
      return chat;
    case 'full':
      return { ...chat, clip: 'full' };
    case 'problem': {
      const note = { kind: 'failure', error: event.error } as const;
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

function findAnswer({ conversation }: ChatUiState, id: string): AssistantTurn | undefined {
  const turn = conversation?.turns.findLast((turn) => turn.id === id);
  return turn?.role === 'assistant' ? turn : undefined;
}

function withAnswer(chat: ChatUiState, id: string, change: Partial<AssistantTurn>): ChatUiState {
  const answer = findAnswer(chat, id);
  if (answer === undefined) return chat;
  return withConversation(chat, ({ turns }) => ({
    turns: turns.with(turns.lastIndexOf(answer), { ...answer, ...change }),
  }));
}
