import type { AppError } from '../../shared/errors/app-error.ts';
import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import { appError, failure } from '../../shared/errors/app-error.ts';
import type { ChatSummary, ChatSearchHit } from '../../shared/chat/chat-summary.ts';
import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import { chatSummaryOf } from '../../shared/chat/chat-summary.ts';
import type { Outcome } from '../ports/outcome.ts';
import { ChatMediaReader } from './chat-media-reader.ts';
import type { Attachment, MediaCache } from './media-cache.ts';
import { searchChats } from './search-chats.ts';
import type { FoldedChats } from './search-chats.ts';
import { mediaFilesOf, mediaPartsOf, parseStoredChat, serializeChat } from './stored-chat.ts';

export type ChatLibraryEvent =
  | { readonly kind: 'list' }
  /** Something about keeping that the person must know; what is in memory is not touched by it. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** It can be kept again. */
  | { readonly kind: 'problemOver'; readonly code: ErrorCode };

interface Deps {
  readonly store: ChatStore;
  readonly media: MediaCache;
  readonly clock: Pick<Clock, 'after'>;
  readonly emit: (event: ChatLibraryEvent) => void;
}

/** A disk that was full may have room again, also where nobody writes anything meanwhile. */
const retryAfterMs = 15_000;
/** So many conversations are read within a few milliseconds. */
const breathAfter = 50;

/** All conversations of this run and, where the person wants that, of the runs before. */
export class ChatLibrary {
  readonly #deps: Deps;
  readonly #conversations = new Map<string, ChatThread>();
  readonly #mediaReader: ChatMediaReader;
  readonly #searchIndex: FoldedChats = new WeakMap();
  /** Newer here than in the store. */
  readonly #unwritten = new Set<string>();
  #keep: boolean;
  readonly #storing = new SerialQueue();
  #writeProblemTold = false;
  #stopRetry: (() => void) | undefined;

  /** Without `keep` nothing is ever written. */
  constructor(keep: boolean, deps: Deps) {
    this.#keep = keep;
    this.#deps = deps;
    const { store, media } = deps;
    const missing = (error: AppError): void => {
      this.#fail(error);
    };
    this.#mediaReader = new ChatMediaReader({ store, media, missing });
  }

  /** Reads what is stored; what is damaged is set aside and told, each in a sentence. */
  async load(): Promise<void> {
    const loaded = await this.#deps.store.load();
    if (!loaded.ok) {
      this.#fail(loaded.error);
      return;
    }
    for (const { error } of loaded.value.problems) this.#fail(error);
    for (const [index, { id, text }] of loaded.value.chats.entries()) {
      if (index % breathAfter === breathAfter - 1) await this.#breathe();
      const conversation = parseStoredChat(id, text);
      if (conversation === undefined) await this.#quarantine(id);
      // One that was begun meanwhile is newer than what was read.
      else if (!this.#conversations.has(id)) this.#conversations.set(id, conversation);
    }
    this.#deps.emit({ kind: 'list' });
  }

  /** Pinned ones first, then the newest. */
  list(): readonly ChatSummary[] {
    return this.#sorted().map(chatSummaryOf);
  }

  /** Words in any order, in titles and turns, without regard to case and accents. */
  search(query: string): readonly ChatSearchHit[] {
    return searchChats(this.#sorted(), query, this.#searchIndex);
  }

  /**
   * A conversation with its pictures and sounds, which stay in memory until they are marked as
   * stored; what is missing of those is told.
   */
  async open(id: string): Promise<Outcome<ChatThread>> {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return gone;
    await this.#mediaReader.readAll(conversation);
    // Its pictures took their time, and it may have been changed or deleted meanwhile.
    const now = this.#conversations.get(id);
    return now === undefined ? gone : { ok: true, value: now };
  }

  thread(id: string): Outcome<ChatThread> {
    const conversation = this.#conversations.get(id);
    return conversation === undefined ? gone : { ok: true, value: conversation };
  }

  /** A picture or sound by its id alone, also one that has made room for others. */
  media(media: string): Promise<Attachment | undefined> {
    return this.#mediaReader.find(media, this.#conversations.values());
  }

  /** Takes over what a chat says of its conversation; whether it is pinned is decided here. */
  save(conversation: ChatThread): void {
    const pinned = this.#conversations.get(conversation.id)?.pinned ?? conversation.pinned;
    this.#set({ ...conversation, pinned });
  }

  rename(id: string, title: string): Outcome<undefined> {
    return this.#edit(id, { title: title.trim() });
  }

  pin(id: string, pinned: boolean): Outcome<undefined> {
    return this.#edit(id, { pinned });
  }

  /** Gone here at once, and from the store as soon as it can be. */
  async remove(id: string): Promise<Outcome<undefined>> {
    this.#forget(id);
    this.#deps.emit({ kind: 'list' });
    return this.#storing.run(() => this.#deps.store.remove(id));
  }

  async removeAll(): Promise<Outcome<undefined>> {
    for (const id of this.#conversations.keys()) this.#forget(id);
    this.#deps.emit({ kind: 'list' });
    return this.#storing.run(() => this.#deps.store.removeAll());
  }

  /**
   * Switched on, everything there is gets written. Switched off, nothing more is, and what was stored
   * stays until it is deleted: a switch that deletes would be a trap.
   */
  setKeep(keep: boolean): void {
    this.#keep = keep;
    if (!keep) return;
    for (const { id, turns } of this.#conversations.values()) if (turns.length > 0) this.#write(id);
  }

  /** Resolves when everything that is to be written has been, as far as it can be. */
  async settled(): Promise<void> {
    // What could not be written before is tried once more: the disk may have room again.
    for (const id of this.#unwritten) this.#write(id);
    await this.#storing.settled();
    this.#stopRetry?.();
    this.#stopRetry = undefined;
  }

  #sorted(): readonly ChatThread[] {
    return [...this.#conversations.values()].toSorted(
      (a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt,
    );
  }

  #edit(id: string, change: Partial<ChatThread>): Outcome<undefined> {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return gone;
    this.#set({ ...conversation, ...change });
    return { ok: true, value: undefined };
  }

  #set(conversation: ChatThread): void {
    const before = this.#conversations.get(conversation.id);
    this.#conversations.set(conversation.id, conversation);
    // While an answer comes it is kept again and again, and the list stays what it was.
    if (before === undefined || !isSameSummary(before, conversation))
      this.#deps.emit({ kind: 'list' });
    // Also those that could not be written before: the disk may have room again.
    for (const id of [...this.#unwritten, conversation.id]) this.#write(id);
  }

  #forget(id: string): void {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return;
    for (const { media } of mediaPartsOf(conversation)) this.#deps.media.drop(media);
    this.#conversations.delete(id);
    this.#unwritten.delete(id);
  }

  /** Writes are made one after the other, each with what is newest when its turn comes. */
  #write(id: string): void {
    this.#unwritten.add(id);
    void this.#storing.run(async () => {
      const conversation = this.#conversations.get(id);
      if (!this.#keep || conversation === undefined || !this.#unwritten.delete(id)) return;
      const files = mediaFilesOf(conversation, this.#deps.media);
      const written = await this.#deps.store.write(id, serializeChat(conversation), files);
      if (written.ok) {
        if (this.#writeProblemTold) this.#deps.emit({ kind: 'problemOver', code: 'chatsUnkept' });
        this.#writeProblemTold = false;
        this.#deps.media.markStored(mediaPartsOf(conversation).map(({ media }) => media));
        return;
      }
      this.#unwritten.add(id);
      this.#stopRetry ??= this.#deps.clock.after(retryAfterMs, () => {
        this.#stopRetry = undefined;
        for (const unwritten of this.#unwritten) this.#write(unwritten);
      });
      if (this.#writeProblemTold) return;
      this.#writeProblemTold = true;
      this.#fail(appError('chatsUnkept', {}, { cause: written.error }));
    });
  }

  /** Thousands are not read in one go: others have their turn in between. */
  #breathe(): Promise<void> {
    return new Promise((resolve) => {
      this.#deps.clock.after(0, resolve);
    });
  }

  async #quarantine(id: string): Promise<void> {
    const aside = await this.#deps.store.setAside(id);
    this.#fail(aside.ok ? appError('chatDamaged', { path: aside.value }) : aside.error);
  }

  #fail(error: AppError): void {
    this.#deps.emit({ kind: 'problem', error });
  }
}

function isSameSummary(one: ChatThread, other: ChatThread): boolean {
  return JSON.stringify(chatSummaryOf(one)) === JSON.stringify(chatSummaryOf(other));
}

const gone: Outcome<never> = failure('chatGone');
