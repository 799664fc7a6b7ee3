import {
  type ChatSearchHit,
  type ChatSummary,
  chatSummaryOf,
  type ChatThread,
} from '../../shared/chat/chat-thread.ts';
import {
  type AppError,
  appError,
  type ErrorCode,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Attachment, MediaCache } from './media-cache.ts';
import {
  ChatMediaReader,
  type ChatStore,
  mediaFilesOf,
  mediaPartsOf,
  parseStoredChat,
  serializeChat,
} from './stored-chat.ts';

/** What the history knows of the conversations that are stored: none of them is read before it is opened. */
export interface KeptChats {
  readonly list: () => Promise<Outcome<readonly ChatSummary[]>>;
  /**
   * Words in any order, in titles and turns, without regard to case and accents. `unwritten` are newer than what is
   * stored of them, or are not stored at all.
   */
  readonly search: (
    query: string,
    unwritten: readonly ChatThread[],
  ) => Promise<Outcome<readonly ChatSearchHit[]>>;
}

export type ChatLibraryEvent =
  | { readonly kind: 'list' }
  /** Something about keeping that the person must know; what is in memory is not touched by it. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** It can be kept again. */
  | { readonly kind: 'problemOver'; readonly code: ErrorCode };

interface Deps {
  readonly store: ChatStore;
  readonly kept: KeptChats;
  readonly media: MediaCache;
  readonly clock: Pick<Clock, 'after'>;
  readonly emit: (event: ChatLibraryEvent) => void;
}

/** All conversations of this run and, where the person wants that, of the runs before. */
export class ChatLibrary {
  readonly #deps: Deps;
  /** Those that were begun, opened or changed in this run. */
  readonly #conversations = new Map<string, ChatThread>();
  /** Of the runs before, as the history lists them. */
  #kept: ReadonlyMap<string, ChatSummary> = new Map();
  /** On their way out: the history still has them for a moment. */
  readonly #leaving = new Set<string>();
  #removals = 0;
  readonly #mediaReader: ChatMediaReader;
  readonly #writer: ChatWriter;

  /** Without `keep` nothing is ever written. */
  constructor(keep: boolean, deps: Deps) {
    this.#deps = deps;
    const { store, media, clock, emit } = deps;
    const failed = (error: AppError): void => {
      this.#fail(error);
    };
    this.#mediaReader = new ChatMediaReader({ store, media, missing: failed });
    const find = (id: string): ChatThread | undefined => this.#conversations.get(id);
    const worksAgain = (): void => {
      emit({ kind: 'problemOver', code: 'chatsUnkept' });
    };
    this.#writer = new ChatWriter(keep, { store, media, clock, find, failed, worksAgain });
  }

  /** What the history lists now: at the beginning, and whenever the folders were looked at again. */
  async refresh(): Promise<void> {
    const removals = this.#removals;
    const listed = await this.#deps.kept.list();
    if (!listed.ok) {
      this.#fail(listed.error);
      return;
    }
    // It was asked before something went.
    if (removals !== this.#removals) {
      await this.refresh();
      return;
    }
    const there = listed.value.filter(({ id }) => !this.#leaving.has(id));
    const before = JSON.stringify([...this.#kept.values()]);
    this.#kept = new Map(there.map((head) => [head.id, head]));
    if (before !== JSON.stringify(there)) this.#deps.emit({ kind: 'list' });
  }

  /** Pinned ones first, then the newest. */
  list(): readonly ChatSummary[] {
    const own = [...this.#conversations.values()].map(chatSummaryOf);
    return sorted(
      new Map([...this.#kept, ...own.map((head) => [head.id, head] as const)]).values(),
    );
  }

  /** In the order of the list. */
  async search(query: string): Promise<Outcome<readonly ChatSearchHit[]>> {
    const unwritten = [...this.#writer.unwritten].flatMap(
      (id) => this.#conversations.get(id) ?? [],
    );
    const found = await this.#deps.kept.search(query, unwritten);
    if (!found.ok) return found;
    return { ok: true, value: sorted(found.value.filter(({ id }) => !this.#leaving.has(id))) };
  }

  /**
   * A conversation with its pictures and sounds, which stay in memory until they are marked as
   * stored; what is missing of those is told.
   */
  async open(id: string): Promise<Outcome<ChatThread>> {
    const found = await this.thread(id);
    if (!found.ok) return found;
    await this.#mediaReader.readAll(found.value);
    // Its pictures took their time, and it may have been changed or deleted meanwhile.
    const now = this.#conversations.get(id);
    return now === undefined ? gone : { ok: true, value: now };
  }

  /** Without its pictures and sounds: from memory, or read from the store when it is first asked for. */
  async thread(id: string): Promise<Outcome<ChatThread>> {
    const conversation = this.#conversations.get(id);
    return conversation === undefined ? this.#read(id) : { ok: true, value: conversation };
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

  /** Never writes this conversation, whatever is set. */
  withhold(id: string): void {
    this.#writer.withhold(id);
  }

  rename(id: string, title: string): Promise<Outcome<undefined>> {
    return this.#edit(id, { title: title.trim() });
  }

  pin(id: string, pinned: boolean): Promise<Outcome<undefined>> {
    return this.#edit(id, { pinned });
  }

  /** Gone here at once, and from the store as soon as it can be. */
  remove(id: string): Promise<Outcome<undefined>> {
    return this.#leave([id], () => this.#deps.store.remove(id));
  }

  removeAll(): Promise<Outcome<undefined>> {
    return this.#leave([...this.#conversations.keys(), ...this.#kept.keys()], () =>
      this.#deps.store.removeAll(),
    );
  }

  /**
   * Switched on, everything there is gets written. Switched off, nothing more is, and what was stored
   * stays until it is deleted: a switch that deletes would be a trap.
   */
  setKeep(keep: boolean): void {
    this.#writer.setKeep(keep);
    if (!keep) return;
    const begun = [...this.#conversations.values()].filter(({ turns }) => turns.length > 0);
    this.#writer.write(...begun.map(({ id }) => id));
  }

  /** Resolves when everything that is to be written has been, as far as it can be. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** What is still asked for is written once more, and nothing is tried again after that. */
  end(): Promise<void> {
    this.#writer.retryNoMore();
    return this.settled();
  }

  async #read(id: string): Promise<Outcome<ChatThread>> {
    const removals = this.#removals;
    const stored = await this.#deps.store.read(id);
    if (!stored.ok) return stored.error.code === 'fileGone' ? gone : stored;
    const conversation = parseStoredChat(id, stored.value.text);
    if (conversation === undefined) {
      await this.#quarantine(id);
      return gone;
    }
    // It was read before it went, or while it was on its way out.
    if (this.#leaving.has(id)) return gone;
    if (removals !== this.#removals) return this.#read(id);
    // Somebody else may have asked for it meanwhile, and changed it.
    const known = this.#conversations.get(id);
    if (known === undefined) this.#conversations.set(id, conversation);
    return { ok: true, value: known ?? conversation };
  }

  async #leave(
    ids: readonly string[],
    remove: () => Promise<Outcome<undefined>>,
  ): Promise<Outcome<undefined>> {
    this.#removals += 1;
    const kept = new Map(this.#kept);
    for (const id of ids) {
      this.#forget(id);
      this.#leaving.add(id);
      kept.delete(id);
    }
    this.#kept = kept;
    this.#deps.emit({ kind: 'list' });
    const removed = await this.#writer.inTurn(remove);
    this.#removals += 1;
    for (const id of ids) this.#leaving.delete(id);
    return removed;
  }

  async #edit(id: string, change: Partial<ChatThread>): Promise<Outcome<undefined>> {
    const found = await this.thread(id);
    if (!found.ok) return found;
    if (this.#leaving.has(id)) return gone;
    this.#set({ ...found.value, ...change });
    return { ok: true, value: undefined };
  }

  #set(conversation: ChatThread): void {
    const before = this.#conversations.get(conversation.id);
    this.#conversations.set(conversation.id, conversation);
    // While an answer comes it is kept again and again, and the list stays what it was.
    if (before === undefined || !isSameSummary(before, conversation))
      this.#deps.emit({ kind: 'list' });
    this.#writer.write(conversation.id);
  }

  #forget(id: string): void {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return;
    for (const { media } of mediaPartsOf(conversation)) this.#deps.media.drop(media);
    this.#conversations.delete(id);
    this.#writer.forget(id);
  }

  async #quarantine(id: string): Promise<void> {
    const aside = await this.#deps.store.setAside(id);
    this.#fail(aside.ok ? appError('chatDamaged', { path: aside.value }) : aside.error);
  }

  #fail(error: AppError): void {
    this.#deps.emit({ kind: 'problem', error });
  }
}

function sorted<Head extends ChatSummary>(heads: Iterable<Head>): readonly Head[] {
  return [...heads].toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt,
  );
}

function isSameSummary(one: ChatThread, other: ChatThread): boolean {
  return JSON.stringify(chatSummaryOf(one)) === JSON.stringify(chatSummaryOf(other));
}

const gone: Outcome<never> = failure('chatGone');

interface ChatWriterDeps {
  readonly store: Pick<ChatStore, 'write'>;
  readonly media: MediaCache;
  readonly clock: Pick<Clock, 'after'>;
  /** As it is now; nothing where it has gone. */
  readonly find: (id: string) => ChatThread | undefined;
  /** Told once, until something could be written again. */
  readonly failed: (error: AppError) => void;
  readonly worksAgain: () => void;
}

/** A disk that was full may have room again, also where nobody writes anything meanwhile. */
const retryAfterMs = 15_000;

/** Brings to the store what is newer here, one after the other, and tries again what found no room. */
class ChatWriter {
  readonly #deps: ChatWriterDeps;
  readonly #unwritten = new Set<string>();
  readonly #withheld = new Set<string>();
  readonly #storing = new SerialQueue();
  #keep: boolean;
  #failureTold = false;
  #stopRetry: (() => void) | undefined;
  #ended = false;

  /** Without `keep` nothing is ever written. */
  constructor(keep: boolean, deps: ChatWriterDeps) {
    this.#keep = keep;
    this.#deps = deps;
  }

  /** Newer here than in the store. */
  get unwritten(): Iterable<string> {
    return this.#unwritten;
  }

  setKeep(keep: boolean): void {
    this.#keep = keep;
  }

  /** Also those that could not be written before: the disk may have room again. */
  write(...ids: readonly string[]): void {
    for (const id of [...this.#unwritten, ...ids]) this.#write(id);
  }

  /** This one stays in memory only, whatever is set: it was typed in a talk of which nothing is kept. */
  withhold(id: string): void {
    this.#withheld.add(id);
  }

  forget(id: string): void {
    this.#unwritten.delete(id);
  }

  /** In turn with what is being written. */
  inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    return this.#storing.run(run);
  }

  /** Resolves when everything that is to be written has been, as far as it can be. */
  async settled(): Promise<void> {
    this.write();
    await this.#storing.settled();
    this.#stopRetry?.();
    this.#stopRetry = undefined;
  }

  /** Nothing is tried again by itself from now on. */
  retryNoMore(): void {
    this.#ended = true;
  }

  /** With what is newest when its turn comes. */
  #write(id: string): void {
    this.#unwritten.add(id);
    void this.#storing.run(async () => {
      const { store, media, find, failed, worksAgain } = this.#deps;
      const thread = find(id);
      if (
        !this.#keep ||
        this.#withheld.has(id) ||
        thread === undefined ||
        !this.#unwritten.delete(id)
      )
        return;
      const written = await store.write(id, serializeChat(thread), mediaFilesOf(thread, media));
      if (written.ok) {
        if (this.#failureTold) worksAgain();
        this.#failureTold = false;
        media.markStored(mediaPartsOf(thread).map((part) => part.media));
        return;
      }
      this.#unwritten.add(id);
      this.#tryLater();
      if (this.#failureTold) return;
      this.#failureTold = true;
      failed(appError('chatsUnkept', {}, { cause: written.error }));
    });
  }

  #tryLater(): void {
    if (this.#ended) return;
    this.#stopRetry ??= this.#deps.clock.after(retryAfterMs, () => {
      this.#stopRetry = undefined;
      this.write();
    });
  }
}
