import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { ChatSearchHit, ChatSummary, ChatThread } from '../../shared/chat/chat-thread.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import type { ChatOptions } from '../../shared/settings/chat-settings.ts';
import { type Attachments, createAttachments } from './attachments.ts';
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

/** Everything a page of written conversations asks for: the list, and the one that is open. */
export interface ChatController {
  /** The open conversation; there always is one, and an empty one is on no list. */
  readonly chat: ChatSession;
  readonly attachments: Attachments;
  readonly list: () => readonly ChatSummary[];
  readonly search: (query: string) => Promise<Outcome<readonly ChatSearchHit[]>>;
  /** The folders were looked at again, and the list may be another one. */
  readonly refresh: () => Promise<void>;
  /**
   * Opens an empty one. An answer that is coming in the one before is stopped and kept. An `unkept` one is never
   * written to the disk.
   */
  readonly begin: (way?: { readonly unkept: boolean }) => void;
  readonly open: (id: string) => Promise<Outcome<undefined>>;
  /** One of the list as it stands now, without its pictures and sounds; or the one that is open. */
  readonly thread: (id: string) => Promise<Outcome<ChatThread>>;
  readonly rename: (id: string, title: string) => Promise<Outcome<undefined>>;
  readonly pin: (id: string, pinned: boolean) => Promise<Outcome<undefined>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  readonly removeAll: () => Promise<Outcome<undefined>>;
  readonly setKeep: (keep: boolean) => void;
  /** A picture or sound of a conversation, to be shown or played. */
  readonly media: (id: string) => Promise<Attachment | undefined>;
  /** Resolves when all connections are closed and everything that is kept is written. */
  readonly close: () => Promise<void>;
}

interface OpenOptions {
  readonly keep: boolean;
  readonly options: ChatOptions;
  /** Of pictures and sounds in memory. */
  readonly maxMediaBytes?: number | undefined;
}

/** Lists what is stored, and opens an empty conversation. */
export async function openChatController(
  { keep, options, maxMediaBytes }: OpenOptions,
  deps: ChatControllerDeps,
): Promise<ChatController> {
  const media = new MediaCache(maxMediaBytes, () => {
    const parts = mediaPartsOf(open.conversation);
    return new Set(parts.map((part) => part.media));
  });
  const library = new ChatLibrary(keep, { ...deps, media });
  const closings = new Set<Promise<void>>();

  function start(conversation: ChatThread | undefined, options: ChatOptions): ChatSession {
    const chat: ChatSession = new ChatSession(
      { conversation, options },
      {
        ...deps,
        media,
        emit: (patch) => {
          // What a conversation that was left still says belongs to no page.
          if (open === chat) deps.emit(patch);
        },
        changed: (changed) => {
          if (!deleted.has(changed.id)) library.save(changed);
        },
      },
    );
    return chat;
  }

  const deleted = new Set<string>();
  let open = start(undefined, options);
  /** Counts what was to be shown: what is found later than something newer was wanted is not. */
  let openRequests = 0;

  function show(conversation: ChatThread | undefined): void {
    openRequests += 1;
    const left = open;
    const closing = left.close().finally(() => closings.delete(closing));
    closings.add(closing);
    open = start(conversation, left.options);
    media.trim();
    deps.emit({ kind: 'replaced', conversation: open.conversation });
  }

  await library.refresh();
  return {
    get chat() {
      return open;
    },
    attachments: createAttachments({ ...deps, media }),
    list: () => library.list(),
    search: (query) => library.search(query),
    refresh: () => library.refresh(),
    begin: (way) => {
      show(undefined);
      if (way?.unkept === true) library.withhold(open.conversation.id);
    },
    open: async (id) => {
      openRequests += 1;
      const openRequest = openRequests;
      if (id === open.conversation.id) return { ok: true, value: undefined };
      const found = await library.open(id);
      if (!found.ok) return found;
      if (openRequest === openRequests) show(found.value);
      media.markStored(mediaPartsOf(found.value).map((part) => part.media));
      return { ok: true, value: undefined };
    },
    thread: async (id) =>
      id === open.conversation.id ? { ok: true, value: open.conversation } : library.thread(id),
    rename: async (id, title) => {
      const renamed = await library.rename(id, title);
      if (renamed.ok && id === open.conversation.id) open.rename(title);
      return renamed;
    },
    pin: (id, pinned) => library.pin(id, pinned),
    remove: (id) => {
      deleted.add(id);
      if (id === open.conversation.id) show(undefined);
      return library.remove(id);
    },
    removeAll: () => {
      for (const { id } of library.list()) deleted.add(id);
      deleted.add(open.conversation.id);
      show(undefined);
      return library.removeAll();
    },
    setKeep: (keep) => {
      library.setKeep(keep);
    },
    media: (id) => library.media(id),
    close: async () => {
      await Promise.all([...closings, open.close()]);
      await library.end();
    },
  };
}
