import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { ChatSearchHit, ChatSummary, ChatThread } from '../../shared/chat/chat-thread.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import type { ChatSettings } from '../../shared/settings/chat-settings.ts';
import { Attachments } from './attachments.ts';
import { ChatLibrary, type ChatLibraryEvent, type KeptChats } from './chat-library.ts';
import { ChatSession, type ChatSessionDeps } from './chat-session.ts';
import { type Attachment, MediaCache } from './media-cache.ts';
import { type ChatStore, mediaPartsOf } from './stored-chat.ts';

export interface ChatControllerDeps extends Omit<ChatSessionDeps, 'media' | 'emit' | 'changed'> {
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly store: ChatStore;
  readonly kept: KeptChats;
  readonly emit: (event: ChatPatch | ChatLibraryEvent) => void;
}

interface OpenOptions {
  readonly keep: boolean;
  readonly options: ChatSettings;
  /** Of pictures and sounds in memory. */
  readonly maxMediaBytes?: number | undefined;
}

/** Lists what is stored, and opens an empty conversation. */
export async function openChatController(
  options: OpenOptions,
  deps: ChatControllerDeps,
): Promise<ChatController> {
  const controller = new ChatController(options, deps);
  await controller.refresh();
  return controller;
}

/** Everything a page of written conversations asks for: the list, and the one that is open. */
export class ChatController {
  readonly attachments: Attachments;
  readonly #deps: ChatControllerDeps;
  readonly #media: MediaCache;
  readonly #library: ChatLibrary;
  readonly #closings = new Set<Promise<void>>();
  readonly #deleted = new Set<string>();
  #open: ChatSession;
  /** Counts what was to be shown: what is found later than something newer was wanted is not. */
  #openRequests = 0;

  constructor({ keep, options, maxMediaBytes }: OpenOptions, deps: ChatControllerDeps) {
    const { pictures, store, kept, clock, random, emit } = deps;
    this.#deps = deps;
    this.#media = new MediaCache(maxMediaBytes, () => {
      const parts = mediaPartsOf(this.#open.conversation);
      return new Set(parts.map((part) => part.media));
    });
    this.#library = new ChatLibrary(keep, { store, kept, media: this.#media, clock, emit });
    this.attachments = new Attachments({ pictures, media: this.#media, random });
    this.#open = this.#start(undefined, options);
  }

  /** The open conversation; there always is one, and an empty one is on no list. */
  get chat(): ChatSession {
    return this.#open;
  }

  readonly list = (): readonly ChatSummary[] => this.#library.list();

  readonly search = (query: string): Promise<Outcome<readonly ChatSearchHit[]>> =>
    this.#library.search(query);

  /** The folders were looked at again, and the list may be another one. */
  readonly refresh = (): Promise<void> => this.#library.refresh();

  /**
   * Opens an empty one. An answer that is coming in the one before is stopped and kept. An `unkept` one is never
   * written to the disk.
   */
  readonly begin = (way?: { readonly unkept: boolean }): void => {
    this.#show(undefined);
    if (way?.unkept === true) this.#library.withhold(this.#open.conversation.id);
  };

  readonly open = async (id: string): Promise<Outcome<undefined>> => {
    this.#openRequests += 1;
    const openRequest = this.#openRequests;
    if (this.#isOpen(id)) return { ok: true, value: undefined };
    const found = await this.#library.open(id);
    if (!found.ok) return found;
    if (openRequest === this.#openRequests) this.#show(found.value);
    this.#media.markStored(mediaPartsOf(found.value).map((part) => part.media));
    return { ok: true, value: undefined };
  };

  /** One of the list as it stands now, without its pictures and sounds; or the one that is open. */
  readonly thread = async (id: string): Promise<Outcome<ChatThread>> =>
    this.#isOpen(id) ? { ok: true, value: this.#open.conversation } : this.#library.thread(id);

  readonly rename = async (id: string, title: string): Promise<Outcome<undefined>> => {
    const renamed = await this.#library.rename(id, title);
    if (renamed.ok && this.#isOpen(id)) this.#open.rename(title);
    return renamed;
  };

  readonly pin = (id: string, pinned: boolean): Promise<Outcome<undefined>> =>
    this.#library.pin(id, pinned);

  readonly remove = (id: string): Promise<Outcome<undefined>> => {
    this.#deleted.add(id);
    if (this.#isOpen(id)) this.#show(undefined);
    return this.#library.remove(id);
  };

  readonly removeAll = (): Promise<Outcome<undefined>> => {
    for (const { id } of this.#library.list()) this.#deleted.add(id);
    this.#deleted.add(this.#open.conversation.id);
    this.#show(undefined);
    return this.#library.removeAll();
  };

  readonly setKeep = (keep: boolean): void => {
    this.#library.setKeep(keep);
  };

  /** A picture or sound of a conversation, to be shown or played. */
  readonly media = (id: string): Promise<Attachment | undefined> => this.#library.media(id);

  /** Resolves when all connections are closed and everything that is kept is written. */
  readonly close = async (): Promise<void> => {
    await Promise.all([...this.#closings, this.#open.close()]);
    await this.#library.end();
  };

  #isOpen(id: string): boolean {
    return id === this.#open.conversation.id;
  }

  #start(conversation: ChatThread | undefined, options: ChatSettings): ChatSession {
    const chat: ChatSession = new ChatSession(
      { conversation, options },
      {
        ...this.#deps,
        media: this.#media,
        emit: (patch) => {
          // What a conversation that was left still says belongs to no page.
          if (this.#open === chat) this.#deps.emit(patch);
        },
        changed: (changed) => {
          if (!this.#deleted.has(changed.id)) this.#library.save(changed);
        },
      },
    );
    return chat;
  }

  #show(conversation: ChatThread | undefined): void {
    this.#openRequests += 1;
    const left = this.#open;
    const closing = left.close().finally(() => this.#closings.delete(closing));
    this.#closings.add(closing);
    this.#open = this.#start(conversation, left.options);
    this.#media.trim();
    this.#deps.emit({ kind: 'replaced', conversation: this.#open.conversation });
  }
}
