import {
  type ChatMedia,
  type CallDecision,
  isSoundFileName,
  maxPictureBytes,
  maxSoundBytes,
  type Part,
} from '../../shared/chat/chat-thread.ts';
import type { ChatSettings } from '../../shared/settings/assistant-settings.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import {
  type Ask,
  type Bridge,
  createAsk,
  type OrderedBridge,
} from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import {
  applyChatSnapshot,
  type ChatNote,
  type ChatUiState,
  currentDraft,
  type Draft,
  type DraftItem,
  draftKey,
  draftKeyFor,
  emptyDraft,
  isAnswering,
  isDraftNote,
  withChatNote,
} from './chat-ui-state.ts';

const searchDelayMs = 150;

/** Requests that send, change or export the open conversation must come after the removal of a message. */
export const afterTurnRemoval: readonly Parameters<Bridge['request']>[0][] = [
  'sendChat',
  'retryChat',
  'goOnChat',
  'editChat',
  'chooseChatBranch',
  'beginChat',
  'openChat',
  'exportFile',
];

export function createChatActions(store: Store<UiState>, bridge: OrderedBridge) {
  const chat = (): ChatUiState => store.getState().chat;
  const change = (part: Partial<ChatUiState>): void =>
    store.setState({ chat: { ...chat(), ...part } });
  const note = (note: ChatNote): void => change({ notes: withChatNote(chat().notes, note) });
  const ask = createAsk(bridge.request, (error) => note({ kind: 'failure', error }));
  const context: ChatActionContext = { chat, change, note, ask, bridge };
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  /** The newest options while a request with earlier ones is pending; the next change builds on them. */
  let pending: ChatSettings | undefined;

  const setOptions = async (part: Partial<ChatSettings>): Promise<void> => {
    const isSending = pending !== undefined;
    pending = { ...(pending ?? chat().options), ...part };
    if (isSending) return;
    for (let sent: ChatSettings | undefined; sent !== pending;) {
      sent = pending;
      await ask('setChatOptions', sent);
    }
    pending = undefined;
  };

  const search = async (query: string): Promise<void> => {
    const reply = await bridge.request('searchChats', { query });
    // The user has changed the query meanwhile, which started another search.
    if (chat().search.query !== query) return;
    if (reply.ok) change({ search: { query, hits: reply.value } });
    else note({ kind: 'failure', error: reply.error });
  };

  const searchSoon = (): void => {
    clearTimeout(searchTimer);
    const { query } = chat().search;
    if (query.trim() !== '') searchTimer = setTimeout(() => void search(query), searchDelayMs);
  };

  const read = async (): Promise<void> => {
    const reply = await bridge.read('chat', (view) =>
      store.setState({ chat: applyChatSnapshot(chat(), view) }),
    );
    if (!reply.ok) note({ kind: 'failure', error: reply.error });
  };

  return {
    ...createDraftActions(context),
    read,
    /** Reads the list, the options and the open conversation when the screen is first shown. */
    readOnce: async (): Promise<void> => {
      if (!chat().isRead) await read();
    },
    readVoices: async () => {
      const reply = await bridge.read('voices', (voices) => change({ voices }));
      if (!reply.ok) note({ kind: 'failure', error: reply.error });
    },
    note,
    dismissNote: (note: ChatNote) =>
      change({ notes: chat().notes.filter((other) => other !== note) }),
    stop: () => ask('stopChat', undefined),
    decideCall: (call: string, decision: CallDecision) => ask('decideChatCall', { call, decision }),
    retry: (turn: string) => ask('retryChat', { turn }),
    continueAnswer: (turn: string) => ask('goOnChat', { turn }),
    removeTurn: (chat: string, turn: string) => ask('removeChatTurn', { chat, turn }),
    chooseBranch: (branch: string) => ask('chooseChatBranch', { branch }),
    play: (turn: string) => ask('playChat', { turn }),
    silence: () => ask('silenceChat', undefined),
    setOptions,
    resetOptions: () => ask('resetSettings', { group: 'chat' }),
    begin: () => ask('beginChat', undefined),
    /** Scrolls to the turn once the conversation is open. */
    open: async (id: string, turn?: string): Promise<void> => {
      change({ targetTurn: undefined });
      if (await ask('openChat', { id, turn })) change({ targetTurn: turn });
    },
    showFirstTurn: () => change({ targetTurn: chat().conversation?.turns[0]?.id }),
    turnShown: () => change({ targetTurn: undefined }),
    rename: (id: string, title: string) => ask('renameChat', { id, title }),
    pin: (id: string, pinned: boolean) => ask('pinChat', { id, pinned }),
    remove: (id: string) => ask('removeChat', { id }),
    search: (query: string) => {
      const isEmpty = query.trim() === '';
      change({ search: { query, hits: isEmpty ? undefined : chat().search.hits } });
      searchSoon();
    },
    searchAgain: () => searchSoon(),
    /** Resolves undefined if the file is missing; the screen shows that in its place. */
    media: async (media: string): Promise<ChatMedia | undefined> => {
      const reply = await bridge.request('chatMedia', { media });
      return reply.ok ? reply.value : undefined;
    },
  };
}

const maxAttachments = 16;
/** How many conversations the core lets a message leave out. */
const maxLeftOut = 10;
/** A little below the browser host's limit for a text message in JSON, `maxTextMessageLength`. */
const maxTextBytes = 900_000;

function createDraftActions(context: ChatActionContext) {
  const { chat, change, note, ask, bridge } = context;
  let isSending = false;

  const setDraft = (key: string, patch: (before: Draft) => Partial<Draft>): void => {
    const before = chat().drafts[key] ?? emptyDraft;
    change({ drafts: { ...chat().drafts, [key]: { ...before, ...patch(before) } } });
  };
  /** Adds to the draft of the conversation that was open when the upload began. */
  const addToDraft = (id: string | undefined, item: DraftItem): void =>
    setDraft(draftKeyFor(chat(), id), ({ attached }) => ({ attached: [...attached, item] }));
  const setEdit = (turn: string, text: string | undefined): void => {
    const { [turn]: _before, ...others } = chat().edits;
    change({ edits: text === undefined ? others : { ...others, [turn]: text } });
  };
  /** False if the user left the conversation of this passage out of the draft. */
  const isWanted = ({ kind, id }: HistoryRef): boolean =>
    !currentDraft(chat()).leftOut.some((other) => other.kind === kind && other.id === id);
  const fitsRequest = (text: string): boolean => {
    const isTooLong = new TextEncoder().encode(JSON.stringify(text)).length > maxTextBytes;
    if (isTooLong) note({ kind: 'tooLong' });
    return !isTooLong;
  };

  const attach = async (id: string | undefined, file: BrowserFile): Promise<boolean> => {
    const problem = attachmentProblem(file);
    if (problem !== undefined) {
      note(problem);
      return false;
    }
    const bytes = await readBrowserFile(file);
    if (bytes === undefined) {
      note({ kind: 'unreadable', name: file.name });
      return false;
    }
    const reply = await bridge.request('attachFile', { name: file.name, file: bytes });
    if (reply.ok) addToDraft(id, { ...reply.value, name: file.name });
    else note({ kind: 'failure', error: reply.error, name: file.name });
    return reply.ok;
  };

  /** Clears the field at once; a message that could not be sent comes back into it. */
  const send = async (): Promise<void> => {
    const { conversation } = chat();
    const key = draftKey(conversation);
    const { text, attached, reading, leftOut } = currentDraft(chat());
    if (isSending || isAnswering(chat()) || !fitsRequest(text)) return;
    if (reading > 0) {
      setDraft(key, () => ({ sendWhenRead: true }));
      return;
    }
    const parts: readonly Part[] = [
      ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
      ...attached.map(({ part }) => part),
    ];
    if (parts.length === 0) return;
    isSending = true;
    const draftNotes = new Set(chat().notes.filter(isDraftNote));
    setDraft(key, () => ({ text: '', attached: [], leftOut: [] }));
    const leaveOut = leftOut.length === 0 ? {} : { leaveOut: leftOut.slice(-maxLeftOut) };
    const sent = await ask('sendChat', { parts, chat: conversation?.id, ...leaveOut });
    isSending = false;
    if (sent) {
      const notes = chat().notes.filter((each) => !draftNotes.has(each));
      change({ foundPast: [], notes });
      return;
    }
    setDraft(draftKeyFor(chat(), conversation?.id), (now) => ({
      text: text + now.text,
      attached: [...attached, ...now.attached],
      leftOut: [...leftOut, ...now.leftOut],
    }));
  };

  /** Sends a message that waited for its files, if its conversation is still open. */
  const sendIfWaiting = async (key: string): Promise<void> => {
    const { reading, sendWhenRead } = chat().drafts[key] ?? emptyDraft;
    if (reading > 0 || !sendWhenRead) return;
    setDraft(key, () => ({ sendWhenRead: false }));
    if (draftKey(chat().conversation) === key) await send();
  };

  return {
    write: (text: string) => {
      // The user is still writing, so a pending send is cancelled.
      setDraft(draftKey(chat().conversation), () => ({ text, sendWhenRead: false }));
    },
    /** False for a text that no message can hold. */
    acceptsText: fitsRequest,
    /** Looks up the passages that would be sent with the draft. */
    findPast: async (text: string, isCurrent: () => boolean) => {
      const reply = await bridge.request('findPast', { text });
      if (reply.ok && isCurrent()) change({ foundPast: reply.value.filter(isWanted) });
    },
    clearPast: () => {
      if (chat().foundPast.length > 0) change({ foundPast: [] });
    },
    leaveOutPassage: ({ kind, id }: HistoryRef) => {
      setDraft(draftKey(chat().conversation), ({ leftOut }) => ({
        leftOut: [...leftOut, { kind, id }].slice(-maxLeftOut),
      }));
      change({ foundPast: chat().foundPast.filter(isWanted) });
    },
    /** Removes a passage from a question, so that later requests do not send it. */
    forgetPassage: async (turn: string, { kind, id }: HistoryRef) => {
      await ask('forgetPassage', { turn, place: { kind, id } });
    },
    /** Reads files one at a time, because each may be large. */
    attachFiles: async (files: readonly BrowserFile[]) => {
      const { conversation } = chat();
      const key = (): string => draftKeyFor(chat(), conversation?.id);
      const { attached, reading } = currentDraft(chat());
      const freeSlots = maxAttachments - attached.length - reading;
      if (files.length > freeSlots) note({ kind: 'tooMany', limit: maxAttachments });
      const accepted = files.slice(0, Math.max(0, freeSlots));
      setDraft(key(), ({ reading }) => ({ reading: reading + accepted.length }));
      for (const file of accepted) {
        const isAttached = await attach(conversation?.id, file);
        // If a file failed, the user decides whether to send without it.
        setDraft(key(), ({ reading, sendWhenRead }) => ({
          reading: Math.max(0, reading - 1),
          sendWhenRead: sendWhenRead && isAttached,
        }));
      }
      await sendIfWaiting(key());
    },
    detach: (media: string) => {
      setDraft(draftKey(chat().conversation), ({ attached }) => ({
        attached: attached.filter(({ part }) => part.media !== media),
      }));
      void ask('forgetAttachment', { media });
    },
    send,
    setEdit,
    sendEdit: async (turn: string) => {
      const before = chat().conversation?.turns.find(({ id }) => id === turn);
      const text = chat().edits[turn];
      if (isSending || before?.role !== 'user' || text === undefined || !fitsRequest(text)) return;
      const others = before.parts.filter(({ type }) => type !== 'text');
      const parts = [...(text.trim() === '' ? [] : [{ type: 'text', text } as const]), ...others];
      if (parts.length === 0) return;
      isSending = true;
      if (await ask('editChat', { turn, parts })) setEdit(turn, undefined);
      isSending = false;
    },
    ...createClipActions(context, addToDraft),
  };
}

interface ChatActionContext {
  readonly chat: () => ChatUiState;
  readonly change: (part: Partial<ChatUiState>) => void;
  readonly note: (note: ChatNote) => void;
  readonly ask: Ask;
  readonly bridge: Bridge;
}

/** The user's commands for voice clips; `attach` adds one to a conversation's draft. */
function createClipActions(
  { chat, change, note, ask, bridge }: ChatActionContext,
  attach: (conversation: string | undefined, item: DraftItem) => void,
) {
  /** Counts recordings, so that a late reply to a cancelled one is ignored. */
  let clips = 0;

  const attachClip = async (name: string): Promise<void> => {
    if (chat().clip !== 'recording' && chat().clip !== 'full') return;
    change({ clip: 'attaching' });
    const { conversation } = chat();
    const clip = clips;
    const reply = await bridge.request('attachClip', undefined);
    // The user may have cancelled the recording meanwhile, and begun another one.
    if (clip !== clips || chat().clip !== 'attaching') {
      if (reply.ok) await ask('forgetAttachment', { media: reply.value.part.media });
      return;
    }
    change({ clip: 'none' });
    if (reply.ok) attach(conversation?.id, { ...reply.value, name });
    else note({ kind: 'failure', error: reply.error });
  };
  const cancelClip = async (): Promise<void> => {
    change({ clip: 'none' });
    await ask('cancelClip', undefined);
  };

  return {
    recordClip: async () => {
      if (chat().clip !== 'none') return;
      clips += 1;
      const clip = clips;
      change({ clip: 'opening' });
      const reply = await bridge.request('recordClip', undefined);
      // The recording may have been cancelled while the microphone was opening.
      if (clip !== clips || chat().clip !== 'opening') return;
      change({ clip: reply.ok ? 'recording' : 'none' });
      if (!reply.ok) note({ kind: 'failure', error: reply.error });
    },
    attachClip,
    cancelClip,
    /** Attaches a running recording when the user leaves the screen, and cancels one that has not begun. */
    leaveClip: async (name: string) => {
      if (chat().clip === 'opening') await cancelClip();
      else await attachClip(name);
    },
    /** The core drops a page's recording when the connection is lost. */
    dropClip: () => {
      if (chat().clip === 'none') return;
      change({ clip: 'none' });
      note({ kind: 'clipStopped' });
    },
  };
}

type BrowserFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

const megabyte = 1_000_000;

function attachmentProblem({ name, size }: BrowserFile): ChatNote | undefined {
  const sound = isSoundFileName(name);
  const maxBytes = sound ? maxSoundBytes : maxPictureBytes;
  if (size <= maxBytes) return undefined;
  return {
    kind: sound ? 'soundTooLarge' : 'pictureTooLarge',
    name,
    size: Math.ceil(size / megabyte),
    limit: maxBytes / megabyte,
  };
}

/** Undefined if the file is gone or is a folder. */
export async function readBrowserFile(file: BrowserFile): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
