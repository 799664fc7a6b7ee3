import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { ConversationHead, SearchHit } from '../../shared/chat/chat-list.ts';
import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { Conversation } from '../../shared/chat/conversation.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Pictures } from '../ports/pictures.ts';
import { createAttachments } from './attachments.ts';
import type { Attachments } from './attachments.ts';
import type { Chat, ChatNeeds } from './chat.ts';
import { ChatLibrary } from './chat-library.ts';
import type { LibraryNews } from './chat-library.ts';
import { MediaShelf } from './media-shelf.ts';
import type { Attachment } from './media-shelf.ts';
import { openChat } from './open-chat.ts';

export interface DeskNeeds extends Omit<ChatNeeds, 'media' | 'tell' | 'changed'> {
  readonly files: Pick<Files, 'read'>;
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly store: ChatStore;
  readonly tell: (news: ChatPatch | LibraryNews) => void;
}

/** Everything a page of written conversations asks for: the list, and the one that is open. */
export interface ChatDesk {
  /** The open conversation; there always is one, and an empty one is on no list. */
  readonly chat: Chat;
  readonly attachments: Attachments;
  readonly list: () => readonly ConversationHead[];
  readonly search: (query: string) => readonly SearchHit[];
  /** Opens an empty one. An answer that is coming in the one before is stopped and kept. */
  readonly begin: () => void;
  readonly open: (id: string) => Promise<Outcome<undefined>>;
  readonly rename: (id: string, title: string) => Outcome<undefined>;
  readonly pin: (id: string, pinned: boolean) => Outcome<undefined>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  readonly removeAll: () => Promise<Outcome<undefined>>;
  readonly setKeep: (keep: boolean) => void;
  /** A picture or sound of a conversation, to be shown or played. */
  readonly media: (id: string) => Attachment | undefined;
  /** Resolves when all connections are closed and everything that is kept is written. */
  readonly close: () => Promise<void>;
}

/** Reads what is kept, and opens an empty conversation. */
export async function openChatDesk(
  { keep, options }: { readonly keep: boolean; readonly options: ChatOptions },
  needs: DeskNeeds,
): Promise<ChatDesk> {
  const media = new MediaShelf();
  const library = new ChatLibrary(keep, { store: needs.store, media, tell: needs.tell });
  const closings = new Set<Promise<void>>();

  function start(conversation: Conversation | undefined, options: ChatOptions): Chat {
    const chat: Chat = openChat(
      { conversation, options },
      {
        ...needs,
        media,
        tell: (patch) => {
          // What a conversation that was left still says belongs to no page.
          if (open === chat) needs.tell(patch);
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
  let wishes = 0;

  function show(conversation: Conversation | undefined): void {
    wishes += 1;
    const left = open;
    const closing = left.close().finally(() => closings.delete(closing));
    closings.add(closing);
    open = start(conversation, left.options);
    needs.tell({ kind: 'replaced', conversation: open.conversation });
  }

  await library.load();
  return {
    get chat() {
      return open;
    },
    attachments: createAttachments({ ...needs, media }),
    list: () => library.list(),
    search: (query) => library.search(query),
    begin: () => {
      show(undefined);
    },
    open: async (id) => {
      wishes += 1;
      const wish = wishes;
      if (id === open.conversation.id) return { ok: true, value: undefined };
      const found = await library.open(id);
      if (!found.ok) return found;
      if (wish === wishes) show(found.value);
      return { ok: true, value: undefined };
    },
    rename: (id, title) => {
      const renamed = library.rename(id, title);
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
    media: (id) => media.get(id),
    close: async () => {
      await Promise.all([...closings, open.close()]);
      await library.settled();
    },
  };
}
