import type { ConversationHead, SearchHit } from '../../shared/chat/chat-list.ts';
import type { Conversation } from '../../shared/chat/conversation.ts';
import { andThen } from '../../shared/why.ts';
import type { Told, Why } from '../../shared/why.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import type { Failure, Outcome } from '../ports/outcome.ts';
import { headOf } from './head-of.ts';
import type { MediaShelf } from './media-shelf.ts';
import { searchChats } from './search-chats.ts';
import type { FoldedChats } from './search-chats.ts';
import {
  attachmentOf,
  fileNameOf,
  mediaFilesOf,
  mediaPartsOf,
  readStored,
  textOfStored,
} from './stored-chat.ts';

export type LibraryNews =
  | { readonly kind: 'list' }
  /** Something about keeping that the person must know; what is in memory is not touched by it. */
  | { readonly kind: 'problem'; readonly told: Told };

interface LibraryNeeds {
  readonly store: ChatStore;
  readonly media: MediaShelf;
  readonly tell: (news: LibraryNews) => void;
}

/** All conversations of this run and, where the person wants that, of the runs before. */
export class ChatLibrary {
  readonly #needs: LibraryNeeds;
  readonly #conversations = new Map<string, Conversation>();
  readonly #folded: FoldedChats = new WeakMap();
  /** Newer here than in the store. */
  readonly #unwritten = new Set<string>();
  #keep: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #diskTold = false;

  /** Without `keep` nothing is ever written. */
  constructor(keep: boolean, needs: LibraryNeeds) {
    this.#keep = keep;
    this.#needs = needs;
  }

  /** Reads what is kept; what is damaged is set aside and told, each in a sentence. */
  async load(): Promise<void> {
    const loaded = await this.#needs.store.load();
    if (!loaded.ok) {
      this.#problem(loaded.problem, loaded.why);
      return;
    }
    for (const { problem, why } of loaded.value.problems) this.#problem(problem, why);
    for (const { id, text } of loaded.value.chats) {
      const conversation = readStored(id, text);
      if (conversation === undefined) await this.#setAside(id);
      // One that was begun meanwhile is newer than what was read.
      else if (!this.#conversations.has(id)) this.#conversations.set(id, conversation);
    }
    this.#needs.tell({ kind: 'list' });
  }

  /** Pinned ones first, then the newest. */
  list(): readonly ConversationHead[] {
    return this.#sorted().map(headOf);
  }

  /** Words in any order, in titles and turns, without regard to case and accents. */
  search(query: string): readonly SearchHit[] {
    return searchChats(this.#sorted(), query, this.#folded);
  }

  /** A conversation with its pictures and sounds; what is missing of those is told. */
  async open(id: string): Promise<Outcome<Conversation>> {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return gone;
    for (const part of mediaPartsOf(conversation)) {
      if (this.#needs.media.get(part.media) !== undefined) continue;
      const bytes = await this.#needs.store.readMedia(id, fileNameOf(part));
      const attachment = bytes.ok ? attachmentOf(part, bytes.value) : undefined;
      if (attachment !== undefined) this.#needs.media.put(part.media, attachment);
      else this.#missing(part.type, bytes.ok ? undefined : bytes);
    }
    // Its pictures took their time, and it may have been changed or deleted meanwhile.
    const now = this.#conversations.get(id);
    return now === undefined ? gone : { ok: true, value: now };
  }

  /** Takes over what a chat says of its conversation; whether it is pinned is decided here. */
  save(conversation: Conversation): void {
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
    this.#needs.tell({ kind: 'list' });
    return this.#next(() => this.#needs.store.remove(id));
  }

  async removeAll(): Promise<Outcome<undefined>> {
    for (const id of this.#conversations.keys()) this.#forget(id);
    this.#needs.tell({ kind: 'list' });
    return this.#next(() => this.#needs.store.removeAll());
  }

  /**
   * Switched on, everything there is gets written. Switched off, nothing more is, and what was kept
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
    await this.#last;
  }

  #sorted(): readonly Conversation[] {
    return [...this.#conversations.values()].toSorted(
      (a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt,
    );
  }

  #edit(id: string, change: Partial<Conversation>): Outcome<undefined> {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return gone;
    this.#set({ ...conversation, ...change });
    return { ok: true, value: undefined };
  }

  #set(conversation: Conversation): void {
    this.#conversations.set(conversation.id, conversation);
    this.#needs.tell({ kind: 'list' });
    // Also those that could not be written before: the disk may have room again.
    for (const id of [...this.#unwritten, conversation.id]) this.#write(id);
  }

  #forget(id: string): void {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) return;
    for (const { media } of mediaPartsOf(conversation)) this.#needs.media.drop(media);
    this.#conversations.delete(id);
    this.#unwritten.delete(id);
  }

  /** Writes are made one after the other, each with what is newest when its turn comes. */
  #write(id: string): void {
    this.#unwritten.add(id);
    void this.#next(async () => {
      const conversation = this.#conversations.get(id);
      if (!this.#keep || conversation === undefined || !this.#unwritten.delete(id)) return;
      const files = mediaFilesOf(conversation, this.#needs.media);
      const written = await this.#needs.store.write(id, textOfStored(conversation), files);
      if (written.ok) {
        this.#diskTold = false;
        return;
      }
      this.#unwritten.add(id);
      if (this.#diskTold) return;
      this.#diskTold = true;
      this.#problem(
        `${written.problem} Nothing of your conversations is lost while Parley runs, but they are not kept until this is mended.`,
        andThen(written.why, 'chatsUnkept'),
      );
    });
  }

  async #setAside(id: string): Promise<void> {
    const aside = await this.#needs.store.setAside(id);
    if (!aside.ok) {
      this.#problem(aside.problem, aside.why);
      return;
    }
    this.#problem(
      `A kept conversation was damaged and could not be read. It was moved to ${aside.value}; all others are here.`,
      { is: 'chatDamaged', path: aside.value },
    );
  }

  #missing(type: 'image' | 'audio', failed: Failure | undefined): void {
    const picture = type === 'image';
    const sentence = `A ${picture ? 'picture' : 'sound'} of this conversation is missing.`;
    const why = picture ? 'pictureMissing' : 'soundMissing';
    this.#problem(failed === undefined ? sentence : `${sentence} ${failed.problem}`, why);
  }

  #next<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #problem(sentence: string, why: Why | undefined): void {
    this.#needs.tell({ kind: 'problem', told: { sentence, why } });
  }
}

const gone: Outcome<never> = {
  ok: false,
  problem: 'This conversation is no longer there.',
  why: 'chatGone',
};
