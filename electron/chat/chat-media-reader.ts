import { appError } from '../../shared/errors/app-error.ts';
import type { AppError, Failure } from '../../shared/errors/app-error.ts';
import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import type { ChatStore } from '../ports/chat-store.ts';
import type { Attachment, MediaCache } from './media-cache.ts';
import { attachmentOf, mediaFileName, mediaPartsOf } from './stored-chat.ts';
import type { MediaPart } from './stored-chat.ts';

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
