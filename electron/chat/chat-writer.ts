import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import { appError, type AppError } from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { MediaCache } from './media-cache.ts';
import { type ChatStore, mediaFilesOf, mediaPartsOf, serializeChat } from './stored-chat.ts';

interface Deps {
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
export class ChatWriter {
  readonly #deps: Deps;
  readonly #unwritten = new Set<string>();
  readonly #withheld = new Set<string>();
  readonly #storing = new SerialQueue();
  #keep: boolean;
  #failureTold = false;
  #stopRetry: (() => void) | undefined;
  #ended = false;

  /** Without `keep` nothing is ever written. */
  constructor(keep: boolean, deps: Deps) {
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
