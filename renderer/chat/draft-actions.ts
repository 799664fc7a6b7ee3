import {
  isSoundFileName,
  maxPictureBytes,
  maxSoundBytes,
  type Part,
} from '../../shared/chat/chat-thread.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import {
  type ChatNote,
  type ChatUiState,
  currentDraft,
  type Draft,
  type DraftItem,
  draftKey,
  draftKeyOf,
  emptyDraft,
  isAnswering,
} from './chat-ui-state.ts';

const maxAttached = 16;
/** One request carries no more, whatever the host. */
const maxTextBytes = 900_000;

/** What a person can do with a message that is being written, or written anew. */
export function createDraftActions(context: ChatActionContext) {
  const { chat, change, note, ask, bridge } = context;
  let sending = false;

  const setDraft = (key: string, draft: (before: Draft) => Partial<Draft>): void => {
    const before = chat().drafts[key] ?? emptyDraft;
    change({ drafts: { ...chat().drafts, [key]: { ...before, ...draft(before) } } });
  };
  /** To the draft of the conversation that was open when it began. */
  const add = (id: string | undefined, item: DraftItem): void =>
    setDraft(draftKeyOf(chat(), id), ({ attached }) => ({ attached: [...attached, item] }));
  const setEdit = (turn: string, text: string | undefined): void => {
    const { [turn]: _before, ...others } = chat().edits;
    change({ edits: text === undefined ? others : { ...others, [turn]: text } });
  };
  const fits = (text: string): boolean => {
    const long = new TextEncoder().encode(text).length > maxTextBytes;
    if (long) note({ kind: 'tooLong' });
    return !long;
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
    if (reply.ok) add(id, { ...reply.value, name: file.name });
    else note({ kind: 'said', error: reply.error, name: file.name });
    return reply.ok;
  };

  /** The field is free at once; what could not be sent comes back into it. */
  const send = async (): Promise<void> => {
    const { conversation } = chat();
    const key = draftKey(conversation);
    const { text, attached, reading } = currentDraft(chat());
    if (sending || isAnswering(chat()) || !fits(text)) return;
    if (reading > 0) {
      setDraft(key, () => ({ sendWhenRead: true }));
      return;
    }
    const parts: readonly Part[] = [
      ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
      ...attached.map(({ part }) => part),
    ];
    if (parts.length === 0) return;
    sending = true;
    setDraft(key, () => ({ text: '', attached: [] }));
    const sent = await ask('sendChat', { parts, chat: conversation?.id });
    sending = false;
    if (sent) return;
    setDraft(draftKeyOf(chat(), conversation?.id), (now) => ({
      text: text + now.text,
      attached: [...attached, ...now.attached],
    }));
  };

  /** What was sent too soon goes now, if its conversation is still the one that is looked at. */
  const sendIfWaiting = async (key: string): Promise<void> => {
    const { reading, sendWhenRead } = chat().drafts[key] ?? emptyDraft;
    if (reading > 0 || !sendWhenRead) return;
    setDraft(key, () => ({ sendWhenRead: false }));
    if (draftKey(chat().conversation) === key) await send();
  };

  return {
    write: (text: string) => {
      // Whoever writes on has not said everything.
      setDraft(draftKey(chat().conversation), () => ({ text, sendWhenRead: false }));
    },
    /** One after the other: each may fill the memory for a moment. */
    attachFiles: async (files: readonly BrowserFile[]) => {
      const { conversation } = chat();
      const key = (): string => draftKeyOf(chat(), conversation?.id);
      const { attached, reading } = currentDraft(chat());
      const room = maxAttached - attached.length - reading;
      if (files.length > room) note({ kind: 'tooMany', most: maxAttached });
      const taken = files.slice(0, Math.max(0, room));
      setDraft(key(), ({ reading }) => ({ reading: reading + taken.length }));
      for (const file of taken) {
        const has = await attach(conversation?.id, file);
        // What could not be read is the person's to judge before anything goes.
        setDraft(key(), ({ reading, sendWhenRead }) => ({
          reading: Math.max(0, reading - 1),
          sendWhenRead: sendWhenRead && has,
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
      if (sending || before?.role !== 'user' || text === undefined || !fits(text)) return;
      const others = before.parts.filter(({ type }) => type !== 'text');
      const parts = [...(text.trim() === '' ? [] : [{ type: 'text', text } as const]), ...others];
      if (parts.length === 0) return;
      sending = true;
      if (await ask('editChat', { turn, parts })) setEdit(turn, undefined);
      sending = false;
    },
    ...createClipActions(context, add),
  };
}

/** What all actions of one part of the UI are made of. */
export interface ChatActionContext {
  readonly chat: () => ChatUiState;
  readonly change: (part: Partial<ChatUiState>) => void;
  readonly note: (note: ChatNote) => void;
  /** Whether it was done; why not is said on the screen. */
  readonly ask: Ask;
  readonly bridge: Bridge;
}

/** What a person can do to speak a part of a message; `attach` puts it into a conversation's draft. */
function createClipActions(
  { chat, change, note, ask, bridge }: ChatActionContext,
  attach: (conversation: string | undefined, item: DraftItem) => void,
) {
  /** Counts recordings: what belongs to one that was given up is not heard any more. */
  let clips = 0;

  const attachClip = async (name: string): Promise<void> => {
    if (chat().clip !== 'recording' && chat().clip !== 'full') return;
    change({ clip: 'attaching' });
    const { conversation } = chat();
    const reply = await bridge.request('attachClip', undefined);
    change({ clip: 'none' });
    if (reply.ok) attach(conversation?.id, { ...reply.value, name });
    else note({ kind: 'said', error: reply.error });
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
      // It may have been given up, or stopped, while the microphone was opened.
      if (clip !== clips || chat().clip !== 'opening') return;
      change({ clip: reply.ok ? 'recording' : 'none' });
      if (!reply.ok) note({ kind: 'said', error: reply.error });
    },
    attachClip,
    cancelClip,
    /** What was recorded is not lost by leaving the place; what has not begun does not begin unseen. */
    leaveClip: async (name: string) => {
      if (chat().clip === 'opening') await cancelClip();
      else await attachClip(name);
    },
    /** With the connection the core gives up what it records for this page. */
    dropClip: () => {
      if (chat().clip === 'none') return;
      change({ clip: 'none' });
      note({ kind: 'clipStopped' });
    },
  };
}

/** Of a browser's file, what is needed: its size is known before anything of it is read. */
type BrowserFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

const megabyte = 1_000_000;

/** Why a file is too large to be attached, or nothing. */
function attachmentProblem({ name, size }: BrowserFile): ChatNote | undefined {
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
