import { encodeWav } from '../../shared/audio/wav.ts';
import { chatThreadSchema } from '../../shared/chat/chat-thread-schema.ts';
import type {
  ChatBranch,
  ChatThread,
  Part,
  ToolCall,
  Turn,
} from '../../shared/chat/chat-thread.ts';
import {
  appError,
  type AppError,
  type Failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import type { StoredText, StoredVersion } from '../../shared/ports/files.ts';
import { parseJsonObject } from '../../shared/protocol/json.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { soundFromWav } from '../audio/dsp/sound-from-wav.ts';
import type { Attachment, MediaCache } from './attachments.ts';

/**
 * Stores written conversations, each as a text with its pictures and sounds. The store does not parse the text. Its
 * errors have the path as a fact.
 */
export interface ChatStore {
  /** Lists the conversations that have a text, in no order. */
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<StoredText>>;
  /**
   * Replaces what is stored under this id, all or nothing. Media names have no folders. Existing media files are not
   * written again, and files that `media` does not name are deleted.
   */
  readonly write: (
    id: string,
    text: string,
    media: readonly StoredMedia[],
  ) => Promise<Outcome<undefined>>;
  readonly readMedia: (id: string, name: string) => Promise<Outcome<Uint8Array>>;
  /** Moves an unreadable conversation to a folder from which it is never loaded, and returns its new path. */
  readonly setAside: (id: string) => Promise<Outcome<string>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** Removes all conversations, including unreadable ones that were set aside. */
  readonly removeAll: () => Promise<Outcome<undefined>>;
}

export interface StoredMedia {
  readonly name: string;
  /** Called only if the file does not exist. Undefined if memory does not have the media. */
  readonly bytes: () => Uint8Array | undefined;
}

const maxStoredClipSeconds = 3600;
const cutByCrash = { kind: 'failed', error: appError('answerCutByCrash') } as const;

type MediaPart = Exclude<Part, { type: 'text' }>;

export function serializeChat(conversation: ChatThread): string {
  return `${JSON.stringify({ version: 1, conversation }, undefined, 1)}\n`;
}

/** Undefined if the text is not a conversation with this id. */
export function parseStoredChat(id: string, text: string): ChatThread | undefined {
  const checked = chatThreadSchema.safeParse(parseJsonObject(text)?.['conversation']);
  if (!checked.success || checked.data.id !== id) return undefined;
  const { turns, branches, ...rest } = checked.data;
  return {
    ...rest,
    turns: turns.map(restoreTurn),
    branches: branches.map(({ id, after, turns }) => ({
      id,
      after,
      turns: turns.map(restoreTurn),
    })),
  };
}

/**
 * Quitting stops and saves an answer, so an answer stored as streaming was cut off by a crash. Speech is not stored.
 */
function restoreTurn(turn: Turn): Turn {
  if (turn.role === 'user') return turn;
  return {
    ...turn,
    state: turn.state.kind === 'streaming' ? cutByCrash : turn.state,
    speechSeconds: 0,
    ...(turn.calls !== undefined && { calls: turn.calls.map(restoreCall) }),
  };
}

/** A crash ended the calls that waited or ran. */
function restoreCall(call: ToolCall): ToolCall {
  const isOpen = call.state === 'asking' || call.state === 'running';
  return isOpen ? { ...call, state: 'stopped' } : call;
}

/** All pictures and sounds of a conversation, including its branches. */
export function listMediaParts({ turns, branches }: ChatThread): readonly MediaPart[] {
  const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
  const parts = all.flatMap((turn) => (turn.role === 'user' ? turn.parts : []));
  const media = new Map<string, MediaPart>();
  for (const part of parts) if (part.type !== 'text') media.set(part.media, part);
  return [...media.values()];
}

function mediaFileName({ type, media }: MediaPart): string {
  return `${media}.${type === 'image' ? 'jpg' : 'wav'}`;
}

/** Media with their file names. Only the store has the bytes of media not used in this run. */
export function listMediaFiles(
  conversation: ChatThread,
  cache: MediaCache,
): readonly StoredMedia[] {
  return listMediaParts(conversation).map((part) => ({
    name: mediaFileName(part),
    bytes: () => {
      const attachment = cache.get(part.media);
      return attachment && encodeAttachment(attachment);
    },
  }));
}

function decodeAttachment({ type }: MediaPart, bytes: Uint8Array): Attachment | undefined {
  if (type === 'image') return { type, file: bytes };
  const sound = soundFromWav(bytes, inputRate, maxStoredClipSeconds);
  return sound.ok ? { type, samples: sound.value } : undefined;
}

/** The bytes to store and play: the picture file, or a 16-bit WAV file. */
export function encodeAttachment(attachment: Attachment): Uint8Array {
  if (attachment.type === 'image') return attachment.file;
  return encodeWav(attachment.samples, { rate: inputRate, channels: 1, coding: 'pcm16' });
}

interface Deps {
  readonly store: Pick<ChatStore, 'readMedia'>;
  readonly media: MediaCache;
  /** Called for a picture or sound of an opened conversation that cannot be read. */
  readonly onMissing: (error: AppError) => void;
}

type ReadMedia =
  | { readonly ok: true; readonly attachment: Attachment }
  | { readonly ok: false; readonly failed: Failure | undefined };

/** Reads pictures and sounds of conversations from the store into memory. */
export class ChatMediaReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Keeps them in memory until they are marked as stored, and reports missing ones. */
  async readAll(conversation: ChatThread): Promise<void> {
    for (const part of listMediaParts(conversation)) {
      if (this.#deps.media.get(part.media) !== undefined) continue;
      const read = await this.#read(conversation.id, part, false);
      if (read.ok) continue;
      const code = part.type === 'image' ? 'pictureMissing' : 'soundMissing';
      this.#deps.onMissing(appError(code, {}, { cause: read.failed?.error }));
    }
  }

  /** Finds media by id, reading it again if the cache evicted it. */
  async find(media: string, conversations: Iterable<ChatThread>): Promise<Attachment | undefined> {
    const known = this.#deps.media.get(media);
    if (known !== undefined) return known;
    for (const conversation of conversations) {
      const part = listMediaParts(conversation).find((each) => each.media === media);
      if (part === undefined) continue;
      const read = await this.#read(conversation.id, part, true);
      if (read.ok) return read.attachment;
    }
    return undefined;
  }

  async #read(id: string, part: MediaPart, isEvictable: boolean): Promise<ReadMedia> {
    const bytes = await this.#deps.store.readMedia(id, mediaFileName(part));
    const attachment = bytes.ok ? decodeAttachment(part, bytes.value) : undefined;
    if (attachment === undefined) return { ok: false, failed: bytes.ok ? undefined : bytes };
    this.#deps.media.put(part.media, attachment, isEvictable);
    return { ok: true, attachment };
  }
}

/** Stored conversations not changed since the given time, except pinned ones. */
export async function findOldChats(
  store: Pick<ChatStore, 'list' | 'read'>,
  since: number,
): Promise<Outcome<readonly string[]>> {
  const listed = await store.list();
  if (!listed.ok) return listed;
  const old: string[] = [];
  for (const { id, version } of listed.value) {
    // Versions begin with the file's time. A file that was written since then is not old, so it is not read.
    if (Number(version.split(' ', 1)[0]) >= since) continue;
    const stored = await store.read(id);
    const chat = stored.ok ? parseStoredChat(id, stored.value.text) : undefined;
    if (chat !== undefined && !chat.pinned && chat.updatedAt < since) old.push(id);
  }
  return { ok: true, value: old };
}

/** Finds what another Parley, which runs at the same time, wrote into stored conversations. */
export class ForeignTurns {
  readonly #store: Pick<ChatStore, 'read'>;
  readonly #find: (id: string) => ChatThread | undefined;
  /** Ids of the turns that a conversation had in the store when this Parley last read or wrote it. */
  readonly #storedTurns = new Map<string, ReadonlySet<string>>();
  /** Foreign turns that the open conversation does not have, until the user opens it again. */
  readonly #unopened = new Map<string, readonly ChatBranch[]>();
  /** The text that this Parley wrote last. It has no turns that are unknown here, so it is not parsed when it is read. */
  #newestText: string | undefined;

  constructor(store: Pick<ChatStore, 'read'>, find: (id: string) => ChatThread | undefined) {
    this.#store = store;
    this.#find = find;
  }

  onStored(thread: ChatThread): void {
    this.#storedTurns.set(thread.id, listTurnIds(thread));
  }

  readonly onWritten = (thread: ChatThread, text: string): void => {
    this.onStored(thread);
    this.#newestText = text;
  };

  forget(id: string): void {
    this.#storedTurns.delete(id);
    this.#unopened.delete(id);
  }

  /** The conversation in memory with the foreign turns as branches, or undefined if the store has nothing new. */
  async readForWriting(id: string): Promise<ChatThread | undefined> {
    const read = await this.#read(id);
    const thread = this.#find(id);
    if (read === undefined || thread === undefined) return undefined;
    const { theirs, foreign } = read;
    if (foreign.length > 0) this.#unopened.set(id, [...(this.#unopened.get(id) ?? []), ...foreign]);
    const merged = addForeignBranches(completeAnswers(thread, theirs), foreign);
    return merged === thread ? undefined : merged;
  }

  /** The conversation in memory, continued by the foreign turns, or undefined if the store has nothing new. */
  async readForOpening(id: string): Promise<ChatThread | undefined> {
    const read = await this.#read(id);
    const thread = this.#find(id);
    this.#unopened.delete(id);
    if (read === undefined || thread === undefined) return undefined;
    const { theirs, foreign } = read;
    const merged = appendForeign(completeAnswers(thread, theirs), foreign);
    if (merged === thread) return undefined;
    this.onStored(merged);
    return merged;
  }

  /** Adds the foreign turns and the completed answers that an open conversation does not have. */
  addTo(thread: ChatThread): ChatThread {
    const foreign = this.#unopened.get(thread.id) ?? [];
    const known = this.#find(thread.id) ?? thread;
    return addForeignBranches(completeAnswers(thread, known), foreign);
  }

  async #read(id: string) {
    if (this.#find(id) === undefined) return undefined;
    const stored = await this.#store.read(id);
    if (!stored.ok || stored.value.text === this.#newestText) return undefined;
    const theirs = parseStoredChat(id, stored.value.text);
    const ours = this.#find(id);
    if (theirs === undefined || ours === undefined) return undefined;
    const known = new Set([...listTurnIds(ours), ...(this.#storedTurns.get(id) ?? [])]);
    return { theirs, foreign: findForeignBranches(theirs, known) };
  }
}

/** All turns of a conversation, including its branches. */
function listTurns({ turns, branches }: ChatThread): readonly Turn[] {
  return [turns, ...branches.map((branch) => branch.turns)].flat();
}

function listTurnIds(thread: ChatThread): ReadonlySet<string> {
  return new Set(listTurns(thread).map(({ id }) => id));
}

/** Takes over the answers that another Parley was still writing when this one read them. */
function completeAnswers(thread: ChatThread, other: ChatThread): ChatThread {
  const cut = new Set(listTurns(thread).filter(isCutByCrash));
  if (cut.size === 0) return thread;
  const complete = listTurns(other).filter((turn) => !isCutByCrash(turn));
  const byId = new Map(complete.map((turn) => [turn.id, turn]));
  if (![...cut].some(({ id }) => byId.has(id))) return thread;
  const completeAll = (turns: readonly Turn[]): readonly Turn[] =>
    turns.map((turn) => (cut.has(turn) ? (byId.get(turn.id) ?? turn) : turn));
  const branches = thread.branches.map(({ id, after, turns }) => ({
    id,
    after,
    turns: completeAll(turns),
  }));
  return { ...thread, turns: completeAll(thread.turns), branches };
}

function isCutByCrash(turn: Turn): boolean {
  if (turn.role === 'user' || turn.state.kind !== 'failed') return false;
  return turn.state.error.code === cutByCrash.error.code;
}

/** Finds the turns of a stored conversation that have none of the known ids. Another Parley wrote them. */
function findForeignBranches(
  stored: ChatThread,
  known: ReadonlySet<string>,
): readonly ChatBranch[] {
  const isForeign = ({ id }: Turn): boolean => !known.has(id);
  const from = stored.turns.findIndex(isForeign);
  const [first, ...others] = from === -1 ? [] : stored.turns.slice(from);
  const root = stored.turns[from - 1]?.id;
  return [
    ...(first === undefined ? [] : [{ id: first.id, after: root, turns: [first, ...others] }]),
    ...stored.branches.filter((branch) => branch.turns.some(isForeign)),
  ];
}

/** Adds the turns of another Parley: as further turns if they follow the newest one, otherwise as branches. */
function appendForeign(thread: ChatThread, foreign: readonly ChatBranch[]): ChatThread {
  const last = thread.turns.at(-1)?.id;
  const next = foreign.find(({ after }) => after === last);
  if (next === undefined) return addForeignBranches(thread, foreign);
  const others = foreign.filter((branch) => branch !== next);
  return addForeignBranches({ ...thread, turns: [...thread.turns, ...next.turns] }, others);
}

/** Adds branches, at the beginning if the turn that they follow was deleted. */
function addForeignBranches(thread: ChatThread, foreign: readonly ChatBranch[]): ChatThread {
  if (foreign.length === 0) return thread;
  const ids = listTurnIds({ ...thread, branches: [...thread.branches, ...foreign] });
  const rooted = foreign.map(({ id, after, turns }) => ({
    id,
    after: after !== undefined && ids.has(after) ? after : undefined,
    turns,
  }));
  return { ...thread, branches: [...thread.branches, ...rooted] };
}
