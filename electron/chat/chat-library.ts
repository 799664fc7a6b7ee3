import {
  type ChatSearchHit,
  type ChatSummary,
  summarizeChat,
  type ChatThread,
} from '../../shared/chat/chat-thread.ts';
import {
  type AppError,
  appError,
  done,
  type ErrorCode,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import type { Attachment, MediaCache } from './attachments.ts';
import {
  ChatMediaReader,
  type ChatStore,
  ForeignTurns,
  listMediaFiles,
  listMediaParts,
  parseStoredChat,
  serializeChat,
} from './stored-chat.ts';
import { removeTurn } from './thread-edits.ts';

/** The history's index of stored conversations. It answers without reading the conversations. */
export interface ChatIndex {
  readonly list: () => Promise<Outcome<readonly ChatSummary[]>>;
  /**
   * Searches titles and turns for words in any order, ignoring case and accents. `unwritten` conversations are
   * newer than the store or not in it.
   */
  readonly search: (
    query: string,
    unwritten: readonly ChatThread[],
  ) => Promise<Outcome<readonly ChatSearchHit[]>>;
}

export type ChatLibraryEvent =
  | { readonly kind: 'list' }
  /** A storage problem to show to the user. Conversations in memory are not affected. */
  | { readonly kind: 'problem'; readonly error: AppError }
  /** Storing works again. */
  | { readonly kind: 'problemOver'; readonly code: ErrorCode };

interface Deps {
  readonly store: ChatStore;
  readonly index: ChatIndex;
  readonly media: MediaCache;
  readonly clock: Pick<Clock, 'after'>;
  readonly emit: (event: ChatLibraryEvent) => void;
}

/** All conversations of this run and all stored ones. */
export class ChatLibrary {
  readonly #deps: Deps;
  /** Conversations begun, read or changed in this run. */
  readonly #conversations = new Map<string, ChatThread>();
  readonly #foreign: ForeignTurns;
  /** Stored conversations, as the history lists them. */
  #stored: ReadonlyMap<string, ChatSummary> = new Map();
  /** Conversations being removed, which the history still lists for a moment. */
  readonly #removing = new Set<string>();
  #removals = 0;
  readonly #mediaReader: ChatMediaReader;
  readonly #writer: ChatWriter;

  constructor(keep: boolean, deps: Deps) {
    this.#deps = deps;
    const { store, media, clock, emit } = deps;
    const onFailed = (error: AppError): void => this.#fail(error);
    this.#foreign = new ForeignTurns(store, (id) => this.#conversations.get(id));
    this.#mediaReader = new ChatMediaReader({ store, media, onMissing: onFailed });
    const onRecovered = (): void => emit({ kind: 'problemOver', code: 'chatsNotStored' });
    this.#writer = new ChatWriter(keep, {
      store,
      media,
      clock,
      find: (id) => this.#conversations.get(id),
      mergeForeign: (id) => this.#mergeForeign(id),
      onWritten: this.#foreign.onWritten,
      onFailed,
      onRecovered,
    });
  }

  /** Reads the history's list, at the start and after each scan of the folders. */
  async refresh(): Promise<void> {
    const removals = this.#removals;
    const listed = await this.#deps.index.list();
    if (!listed.ok) {
      this.#fail(listed.error);
      return;
    }
    // A removal happened while the list was read, so the list is out of date.
    if (removals !== this.#removals) {
      await this.refresh();
      return;
    }
    const listedSummaries = listed.value.filter(({ id }) => !this.#removing.has(id));
    const before = JSON.stringify([...this.#stored.values()]);
    this.#stored = new Map(listedSummaries.map((head) => [head.id, head]));
    if (before !== JSON.stringify(listedSummaries)) this.#deps.emit({ kind: 'list' });
  }

  /** Why conversations are not stored now. */
  get problems(): readonly AppError[] {
    return this.#writer.problems;
  }

  /** Pinned conversations first, then the newest. */
  list(): readonly ChatSummary[] {
    const summaries = [...this.#conversations.values()].map(summarizeChat);
    return sortSummaries(
      new Map([...this.#stored, ...summaries.map((head) => [head.id, head] as const)]).values(),
    );
  }

  /** Hits in the order of the list. */
  async search(query: string): Promise<Outcome<readonly ChatSearchHit[]>> {
    const unwritten = [...this.#writer.unwritten].flatMap(
      (id) => this.#conversations.get(id) ?? [],
    );
    const found = await this.#deps.index.search(query, unwritten);
    if (!found.ok) return found;
    return {
      ok: true,
      value: sortSummaries(found.value.filter(({ id }) => !this.#removing.has(id))),
    };
  }

  /**
   * Reads a conversation with its pictures and sounds, which stay in memory until they are marked as stored, and with
   * what another Parley has added. Reports missing pictures and sounds.
   */
  async open(id: string): Promise<Outcome<ChatThread>> {
    const merged = await this.#foreign.readForOpening(id);
    if (merged !== undefined) this.#conversations.set(id, merged);
    const found = await this.thread(id);
    if (!found.ok) return found;
    await this.#mediaReader.readAll(found.value);
    // The conversation may have been changed or deleted while its pictures were read.
    const current = this.#conversations.get(id);
    return current === undefined ? chatGone : { ok: true, value: current };
  }

  /** Returns a conversation, from memory or else from the store, without loading its pictures and sounds. */
  async thread(id: string): Promise<Outcome<ChatThread>> {
    const conversation = this.#conversations.get(id);
    return conversation === undefined ? this.#read(id) : { ok: true, value: conversation };
  }

  /** A picture or sound by its id, read again if the cache evicted it. */
  media(media: string): Promise<Attachment | undefined> {
    return this.#mediaReader.find(media, this.#conversations.values());
  }

  /** Stores the conversation of an open thread. `pinned` stays as it is here, because only `pin` changes it. */
  save(conversation: ChatThread): void {
    const { id } = conversation;
    const pinned = this.#conversations.get(id)?.pinned ?? conversation.pinned;
    this.#set(this.#foreign.addTo({ ...conversation, pinned }));
  }

  /** Never writes this conversation, regardless of the settings. */
  withhold(id: string): void {
    this.#writer.withhold(id);
  }

  isWithheld(id: string): boolean {
    return this.#writer.isWithheld(id);
  }

  /** Whether the store has the conversation as it is here, with its pictures and sounds. */
  isStored(id: string): boolean {
    return !this.#writer.unwritten.has(id);
  }

  rename(id: string, title: string): Promise<Outcome<undefined>> {
    return this.#edit(id, { title: title.trim() });
  }

  pin(id: string, pinned: boolean): Promise<Outcome<undefined>> {
    return this.#edit(id, { pinned });
  }

  async removeTurn(id: string, turn: string): Promise<Outcome<undefined>> {
    const found = await this.thread(id);
    if (!found.ok) return found;
    const index = found.value.turns.findIndex((each) => each.id === turn);
    return index === -1 ? failure('messageGone') : this.#edit(id, removeTurn(found.value, index));
  }

  /** Removes a conversation from the list at once, and from the store as soon as possible. */
  remove(id: string): Promise<Outcome<undefined>> {
    return this.#removeFromStore([id], () => this.#deps.store.remove(id));
  }

  removeAll(): Promise<Outcome<undefined>> {
    return this.#removeFromStore([...this.#conversations.keys(), ...this.#stored.keys()], () =>
      this.#deps.store.removeAll(),
    );
  }

  /**
   * Switching on writes all conversations of this run. Switching off stops writing but deletes nothing, because a switch
   * that deletes would be a trap.
   */
  setKeep(keep: boolean): void {
    const isChange = this.#writer.setKeep(keep);
    if (!isChange || !keep) return;
    const nonEmpty = [...this.#conversations.values()].filter(({ turns }) => turns.length > 0);
    this.#writer.write(...nonEmpty.map(({ id }) => id));
  }

  /** Resolves when all pending writes have been tried. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** Writes pending changes once more and stops retrying. */
  end(): Promise<void> {
    this.#writer.stopRetrying();
    return this.settled();
  }

  async #read(id: string): Promise<Outcome<ChatThread>> {
    const removals = this.#removals;
    const stored = await this.#deps.store.read(id);
    if (!stored.ok) return stored.error.code === 'fileGone' ? chatGone : stored;
    const conversation = parseStoredChat(id, stored.value.text);
    if (conversation === undefined) {
      await this.#quarantine(id);
      return chatGone;
    }
    // The conversation was removed while it was read.
    if (this.#removing.has(id)) return chatGone;
    if (removals !== this.#removals) return this.#read(id);
    // Another request may have read and changed it meanwhile.
    const known = this.#conversations.get(id);
    if (known === undefined) {
      this.#conversations.set(id, conversation);
      this.#foreign.onStored(conversation);
    }
    return { ok: true, value: known ?? conversation };
  }

  /** Takes in what another Parley has stored, so that a write does not delete it. */
  async #mergeForeign(id: string): Promise<void> {
    const merged = await this.#foreign.readForWriting(id);
    if (merged !== undefined) this.#conversations.set(id, merged);
  }

  async #removeFromStore(
    ids: readonly string[],
    remove: () => Promise<Outcome<undefined>>,
  ): Promise<Outcome<undefined>> {
    this.#removals += 1;
    const stored = new Map(this.#stored);
    for (const id of ids) {
      this.#forget(id);
      this.#removing.add(id);
      stored.delete(id);
    }
    this.#stored = stored;
    this.#deps.emit({ kind: 'list' });
    const removed = await this.#writer.inTurn(remove);
    this.#removals += 1;
    for (const id of ids) this.#removing.delete(id);
    // Lists what could not be deleted.
    if (!removed.ok) await this.refresh();
    return removed;
  }

  async #edit(id: string, change: Partial<ChatThread>): Promise<Outcome<undefined>> {
    const found = await this.thread(id);
    if (!found.ok) return found;
    if (this.#removing.has(id)) return chatGone;
    this.#set({ ...found.value, ...change });
    return done;
  }

  #set(conversation: ChatThread): void {
    const before = this.#conversations.get(conversation.id);
    this.#conversations.set(conversation.id, conversation);
    // An answer in progress is saved repeatedly without changing the list.
    if (before === undefined || !isSameJson(summarizeChat(before), summarizeChat(conversation)))
      this.#deps.emit({ kind: 'list' });
    this.#writer.write(conversation.id);
  }

  #forget(id: string): void {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return;
    for (const { media } of listMediaParts(conversation)) this.#deps.media.drop(media);
    this.#conversations.delete(id);
    this.#foreign.forget(id);
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

function sortSummaries<Head extends ChatSummary>(heads: Iterable<Head>): readonly Head[] {
  return [...heads].toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt,
  );
}

const chatGone: Outcome<never> = failure('chatGone');

interface ChatWriterDeps {
  readonly store: Pick<ChatStore, 'write'>;
  readonly media: MediaCache;
  readonly clock: Pick<Clock, 'after'>;
  /** Returns the current conversation, or undefined if it was removed. */
  readonly find: (id: string) => ChatThread | undefined;
  readonly mergeForeign: (id: string) => Promise<void>;
  readonly onWritten: (thread: ChatThread, text: string) => void;
  /** Called on the first of consecutive failures with the same cause. */
  readonly onFailed: (error: AppError) => void;
  readonly onRecovered: () => void;
}

/** Failed writes are repeated after this long, because the disk may have room again. */
const retryAfterMs = 15_000;

/** Writes changed conversations one after the other and retries failed writes. */
class ChatWriter {
  readonly #deps: ChatWriterDeps;
  readonly #unwritten = new Set<string>();
  /** The conversation whose write is under way, which can still fail. */
  #writing: string | undefined;
  readonly #withheld = new Set<string>();
  readonly #queue = new SerialQueue();
  #keep: boolean;
  /** Conversations that must change before they can be written. */
  readonly #tooLarge = new Set<string>();
  /** Each cause is reported once until storing works again. */
  readonly #reported = new Map<ErrorCode, AppError>();
  readonly #retryTimer: Timer;
  #hasEnded = false;

  constructor(keep: boolean, deps: ChatWriterDeps) {
    this.#keep = keep;
    this.#deps = deps;
    this.#retryTimer = new Timer(deps.clock);
  }

  /** The reported failures, until storing works again. */
  get problems(): readonly AppError[] {
    return [...this.#reported.values()];
  }

  /** Conversations newer in memory than in the store. */
  get unwritten(): ReadonlySet<string> {
    return this.#writing === undefined
      ? this.#unwritten
      : new Set([...this.#unwritten, this.#writing]);
  }

  /** Returns whether the switch changed, because this is called after every change of the settings. */
  setKeep(keep: boolean): boolean {
    const isChange = keep !== this.#keep;
    this.#keep = keep;
    return isChange;
  }

  /** Also retries earlier failures: the disk may have room again. */
  write(...ids: readonly string[]): void {
    const earlier = [...this.#unwritten].filter((id) => !this.#tooLarge.has(id));
    for (const id of [...earlier, ...ids]) this.#write(id);
  }

  /** Keeps a conversation in memory only, because it is incognito. */
  withhold(id: string): void {
    this.#withheld.add(id);
  }

  isWithheld(id: string): boolean {
    return this.#withheld.has(id);
  }

  forget(id: string): void {
    this.#unwritten.delete(id);
    this.#reportRecovery();
  }

  /** Calls `run` after the writes that are queued now. */
  inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    return this.#queue.run(run);
  }

  /** Resolves when all pending writes have been tried. */
  async settled(): Promise<void> {
    this.write();
    await this.#queue.settled();
    this.#retryTimer.stop();
  }

  stopRetrying(): void {
    this.#hasEnded = true;
  }

  #isDue(id: string): boolean {
    return this.#keep && !this.#withheld.has(id) && this.#unwritten.has(id);
  }

  /** Queues a write of the version that is current when the write starts. */
  #write(id: string): void {
    this.#unwritten.add(id);
    void this.#queue.run(async () => {
      const { store, media, find, mergeForeign, onWritten, onFailed } = this.#deps;
      if (!this.#isDue(id)) return;
      await mergeForeign(id);
      const thread = find(id);
      if (thread === undefined || !this.#isDue(id)) return;
      this.#unwritten.delete(id);
      this.#tooLarge.delete(id);
      const text = serializeChat(thread);
      this.#writing = id;
      const written = await store.write(id, text, listMediaFiles(thread, media));
      this.#writing = undefined;
      if (written.ok) {
        this.#reportRecovery();
        onWritten(thread, text);
        media.markStored(listMediaParts(thread).map((part) => part.media));
        return;
      }
      // The conversation was removed during the write.
      if (find(id) === undefined) return;
      this.#unwritten.add(id);
      const { code } = written.error;
      if (code === 'fileTooLarge') this.#tooLarge.add(id);
      else this.#scheduleRetry();
      if (this.#reported.has(code)) return;
      const problem = appError('chatsNotStored', {}, { cause: written.error });
      this.#reported.set(code, problem);
      onFailed(problem);
    });
  }

  /** Reports that storing works again, unless another conversation still has to be written, such as one that is too large. */
  #reportRecovery(): void {
    if (this.#reported.size === 0 || [...this.#unwritten].some((id) => this.#isDue(id))) return;
    this.#reported.clear();
    this.#deps.onRecovered();
  }

  #scheduleRetry(): void {
    if (!this.#hasEnded) this.#retryTimer.setIfIdle(retryAfterMs, () => this.write());
  }
}
