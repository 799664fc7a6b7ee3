import {
  isSoundFileName,
  maxPictureBytes,
  maxSoundBytes,
  type Part,
} from '../../shared/chat/chat-thread.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import {
  type ChatNote,
  type ChatUiState,
  currentDraft,
  type Draft,
  type DraftItem,
  draftKey,
  draftKeyFor,
  emptyDraft,
  isAnswering,
} from './chat-ui-state.ts';

const maxAttachments = 16;
/** The limit of one request in every host. */
const maxTextBytes = 900_000;

export function createDraftActions(context: ChatActionContext) {
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
  const fitsRequest = (text: string): boolean => {
    const isTooLong = new TextEncoder().encode(text).length > maxTextBytes;
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
    const { text, attached, reading } = currentDraft(chat());
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
    setDraft(key, () => ({ text: '', attached: [] }));
    const { leftOut } = chat().past;
    const leaveOut = leftOut.length === 0 ? {} : { leaveOut: leftOut };
    const sent = await ask('sendChat', { parts, chat: conversation?.id, ...leaveOut });
    isSending = false;
    if (sent) {
      change({ past: { found: [], leftOut: [] } });
      return;
    }
    setDraft(draftKeyFor(chat(), conversation?.id), (now) => ({
      text: text + now.text,
      attached: [...attached, ...now.attached],
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
    /** Looks up the passages that would be sent with the draft. */
    findPast: async (text: string) => {
      const reply = await bridge.request('findPast', { text });
      if (reply.ok) change({ past: { ...chat().past, found: reply.value } });
    },
    clearPast: () => {
      if (chat().past.found.length > 0) change({ past: { ...chat().past, found: [] } });
    },
    leaveOutPassage: ({ kind, id }: HistoryRef) => {
      const { past } = chat();
      change({ past: { ...past, leftOut: [...past.leftOut, { kind, id }].slice(-10) } });
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

export interface ChatActionContext {
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
    const reply = await bridge.request('attachClip', undefined);
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
