import { encodeWav } from '../../shared/audio/encode-wav.ts';
import { chatThreadCheck } from '../../shared/chat/chat-thread-checks.ts';
import type { ChatThread, Part, Turn } from '../../shared/chat/chat-thread.ts';
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
import type { Attachment, MediaCache } from './media-cache.ts';

/**
 * Written conversations that are kept, each a text with the pictures and sounds it names. What is in
 * the text does not concern the store. Errors have the place among their facts.
 */
export interface ChatStore {
  /** Those that have a text, in no order. */
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<StoredText>>;
  /**
   * Takes the place of what was kept under this id, whole or not at all. Media have names without
   * folders; one that is already there is not written again, and one that is not named goes.
   */
  readonly write: (
    id: string,
    text: string,
    media: readonly StoredMedia[],
  ) => Promise<Outcome<undefined>>;
  readonly readMedia: (id: string, name: string) => Promise<Outcome<Uint8Array>>;
  /** Puts one that makes no sense where it is never loaded again, and says where that is. */
  readonly setAside: (id: string) => Promise<Outcome<string>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** Also what was set aside: nothing of any conversation is left. */
  readonly removeAll: () => Promise<Outcome<undefined>>;
}

export interface StoredMedia {
  readonly name: string;
  /** Asked only where the file is not there yet; nothing where there is no more than the name. */
  readonly bytes: () => Uint8Array | undefined;
}

const maxClipDuration = 3600;
const cutByCrash = { kind: 'failed', error: appError('answerCutByCrash') } as const;

type MediaPart = Exclude<Part, { type: 'text' }>;

export function serializeChat(conversation: ChatThread): string {
  return `${JSON.stringify({ version: 1, conversation }, undefined, 1)}\n`;
}

/** Nothing where the text is no conversation of this id. */
export function parseStoredChat(id: string, text: string): ChatThread | undefined {
  const checked = chatThreadCheck.safeParse(parseJsonObject(text)?.['conversation']);
  if (!checked.success || checked.data.id !== id) return undefined;
  const { turns, branches, ...rest } = checked.data;
  return {
    ...rest,
    turns: turns.map(afterRestart),
    branches: branches.map(({ id, after, turns }) => ({
      id,
      after,
      turns: turns.map(afterRestart),
    })),
  };
}

/**
 * Whoever quits stops the answer that is coming, and that is written: one that stands here as coming was cut by a crash
 * or a kill. Speech is kept for one run only.
 */
function afterRestart(turn: Turn): Turn {
  if (turn.role === 'user') return turn;
  return {
    ...turn,
    state: turn.state.kind === 'streaming' ? cutByCrash : turn.state,
    speechSeconds: 0,
  };
}

/** The pictures and sounds that a conversation names, also in what was set aside. */
export function mediaPartsOf({ turns, branches }: ChatThread): readonly MediaPart[] {
  const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
  const parts = all.flatMap((turn) => (turn.role === 'user' ? turn.parts : []));
  const media = new Map<string, MediaPart>();
  for (const part of parts) if (part.type !== 'text') media.set(part.media, part);
  return [...media.values()];
}

function mediaFileName({ type, media }: MediaPart): string {
  return `${media}.${type === 'image' ? 'jpg' : 'wav'}`;
}

/** All media by their names; of one that was never looked at in this run only the store has the bytes. */
export function mediaFilesOf(conversation: ChatThread, cache: MediaCache): readonly StoredMedia[] {
  return mediaPartsOf(conversation).map((part) => ({
    name: mediaFileName(part),
    bytes: () => {
      const attachment = cache.get(part.media);
      return attachment && bytesOf(attachment);
    },
  }));
}

function attachmentOf({ type }: MediaPart, bytes: Uint8Array): Attachment | undefined {
  if (type === 'image') return { type, file: bytes };
  const sound = soundFromWav(bytes, inputRate, maxClipDuration);
  return sound.ok ? { type, samples: sound.value } : undefined;
}

/** As it is kept and played: a picture is as it came, a sound a WAV file, of 16 bits, which are enough to listen to. */
export function bytesOf(attachment: Attachment): Uint8Array {
  if (attachment.type === 'image') return attachment.file;
  return encodeWav(attachment.samples, { rate: inputRate, channels: 1, coding: 'pcm16' });
}

interface Deps {
  readonly store: Pick<ChatStore, 'readMedia'>;
  readonly media: MediaCache;
  /** A picture or sound of an opened conversation that cannot be had. */
  readonly missing: (error: AppError) => void;
}

type ReadMedia =
  | { readonly ok: true; readonly attachment: Attachment }
  | { readonly ok: false; readonly failed: Failure | undefined };

/** Brings the pictures and sounds of conversations from the store back into memory. */
export class ChatMediaReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** They stay in memory until they are marked as stored; what is missing of them is told. */
  async readAll(conversation: ChatThread): Promise<void> {
    for (const part of mediaPartsOf(conversation)) {
      if (this.#deps.media.get(part.media) !== undefined) continue;
      const read = await this.#read(conversation.id, part, false);
      if (read.ok) continue;
      const code = part.type === 'image' ? 'pictureMissing' : 'soundMissing';
      this.#deps.missing(appError(code, {}, { cause: read.failed?.error }));
    }
  }

  /** One by its id alone, also one that has made room for others. */
  async find(media: string, conversations: Iterable<ChatThread>): Promise<Attachment | undefined> {
    const known = this.#deps.media.get(media);
    if (known !== undefined) return known;
    for (const conversation of conversations) {
      const part = mediaPartsOf(conversation).find((each) => each.media === media);
      if (part === undefined) continue;
      const read = await this.#read(conversation.id, part, true);
      if (read.ok) return read.attachment;
    }
    return undefined;
  }

  async #read(id: string, part: MediaPart, mayGo: boolean): Promise<ReadMedia> {
    const bytes = await this.#deps.store.readMedia(id, mediaFileName(part));
    const attachment = bytes.ok ? attachmentOf(part, bytes.value) : undefined;
    if (attachment === undefined) return { ok: false, failed: bytes.ok ? undefined : bytes };
    this.#deps.media.put(part.media, attachment, mayGo);
    return { ok: true, attachment };
  }
}

/** The stored conversations in which nothing was written since, pinned ones excepted. */
export async function oldChatsIn(
  store: Pick<ChatStore, 'list' | 'read'>,
  since: number,
): Promise<Outcome<readonly string[]>> {
  const listed = await store.list();
  if (!listed.ok) return listed;
  const old: string[] = [];
  for (const { id, version } of listed.value) {
    // What was written lately is no older than that, and need not be read. Versions begin with the time of the file.
    if (Number(version.split(' ', 1)[0]) >= since) continue;
    const stored = await store.read(id);
    const chat = stored.ok ? parseStoredChat(id, stored.value.text) : undefined;
    if (chat !== undefined && !chat.pinned && chat.updatedAt < since) old.push(id);
  }
  return { ok: true, value: old };
}
