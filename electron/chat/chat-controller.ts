import type {
  ChatPatch,
  ChatSearchHit,
  ChatSummary,
  ChatThread,
} from '../../shared/chat/chat-thread.ts';
import type { ChatSettings } from '../../shared/settings/assistant-settings.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { Attachments, type Attachment, MediaCache } from './attachments.ts';
import { ChatLibrary, type ChatLibraryEvent, type ChatIndex } from './chat-library.ts';
import { ChatSession, type ChatSessionDeps } from './chat-session.ts';
import { type ChatStore, listMediaParts } from './stored-chat.ts';

export interface ChatControllerDeps extends Omit<ChatSessionDeps, 'media' | 'emit' | 'onChanged'> {
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly store: ChatStore;
  readonly index: ChatIndex;
  readonly emit: (event: ChatPatch | ChatLibraryEvent) => void;
}

interface OpenOptions {
  readonly keep: boolean;
  readonly options: ChatSettings;
  /** Limit for pictures and sounds in memory. */
  readonly maxMediaBytes?: number | undefined;
}

/** Lists the stored conversations and opens an empty one. */
export async function openChatController(
  options: OpenOptions,
  deps: ChatControllerDeps,
): Promise<ChatController> {
  const controller = new ChatController(options, deps);
  await controller.refresh();
  return controller;
}

/** Answers the chat page's requests: the list of conversations and the open one. */
export class ChatController {
  readonly attachments: Attachments;
  readonly #deps: ChatControllerDeps;
  readonly #media: MediaCache;
  readonly #library: ChatLibrary;
  readonly #closings = new Set<Promise<void>>();
  readonly #deleted = new Set<string>();
  #open: ChatSession;
  /** Counts open requests, so that a slow one cannot replace the result of a newer one. */
  #openRequests = 0;

  constructor({ keep, options, maxMediaBytes }: OpenOptions, deps: ChatControllerDeps) {
    const { pictures, store, index, clock, random, emit } = deps;
    this.#deps = deps;
    this.#media = new MediaCache(maxMediaBytes, () => {
      const parts = listMediaParts(this.#open.conversation);
      return new Set(parts.map((part) => part.media));
    });
    this.#library = new ChatLibrary(keep, { store, index, media: this.#media, clock, emit });
    this.attachments = new Attachments({ pictures, media: this.#media, random });
    this.#open = this.#start(undefined, options);
  }

  /** The open conversation, which always exists. An empty one is not listed. */
  get chat(): ChatSession {
    return this.#open;
  }

  /** Whether the open conversation is never stored. */
  get isUnkept(): boolean {
    return this.#library.isWithheld(this.#open.conversation.id);
  }

  readonly list = (): readonly ChatSummary[] => this.#library.list();

  readonly search = (query: string): Promise<Outcome<readonly ChatSearchHit[]>> =>
    this.#library.search(query);

  /** Reads the list again after the folders were scanned. */
  readonly refresh = (): Promise<void> => this.#library.refresh();

  /**
   * Opens an empty conversation. An answer in progress is stopped and kept. An `unkept` conversation is never
   * written to disk.
   */
  readonly begin = (options?: { readonly unkept: boolean }): void => {
    this.#show(undefined);
    if (options?.unkept === true) this.#library.withhold(this.#open.conversation.id);
  };

  /** Opens a conversation that another part of Parley began, with its pictures and sounds. */
  readonly adopt = (conversation: ChatThread, media: MediaCache): void => {
    for (const { media: id } of listMediaParts(conversation)) {
      const attachment = media.get(id);
      if (attachment !== undefined) this.#media.put(id, attachment);
    }
    this.#show(conversation);
    this.#library.save(conversation);
  };

  readonly open = async (id: string): Promise<Outcome<undefined>> => {
    this.#openRequests += 1;
    const openRequest = this.#openRequests;
    if (this.#isOpen(id)) return { ok: true, value: undefined };
    const found = await this.#library.open(id);
    if (!found.ok) return found;
    if (openRequest === this.#openRequests) this.#show(found.value);
    this.#media.markStored(listMediaParts(found.value).map((part) => part.media));
    return { ok: true, value: undefined };
  };

  /** A conversation without its pictures and sounds, unless it is the open one. */
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

  readonly setKeep = (keep: boolean): void => this.#library.setKeep(keep);

  readonly media = (id: string): Promise<Attachment | undefined> => this.#library.media(id);

  /** Resolves when all connections are closed and all changes are written. */
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
        memory: (system, isOwn) =>
          this.#library.isWithheld(chat.conversation.id)
            ? undefined
            : this.#deps.memory?.(system, isOwn),
        emit: (patch) => {
          // Pages do not show patches of a conversation that is no longer open.
          if (this.#open === chat) this.#deps.emit(patch);
        },
        onChanged: (changed) => {
          if (!this.#deleted.has(changed.id)) this.#library.save(changed);
        },
      },
    );
    return chat;
  }

  #show(conversation: ChatThread | undefined): void {
    this.#openRequests += 1;
    const previous = this.#open;
    const closing = previous.close().finally(() => this.#closings.delete(closing));
    this.#closings.add(closing);
    this.#open = this.#start(conversation, previous.options);
    this.#media.trim();
    this.#deps.emit({ kind: 'replaced', conversation: this.#open.conversation });
  }
}
