/** A picture ready to send, or 16 kHz mono sound. */
export type Attachment =
  | { readonly type: 'image'; readonly file: Uint8Array }
  | { readonly type: 'audio'; readonly samples: Float32Array };

interface Entry {
  readonly attachment: Attachment;
  readonly bytes: number;
  isStored: boolean;
}

/** Enough for a dozen conversations full of pictures. */
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Caches pictures and sounds by id. Evicts the least recently used, but only if the store has it and the open
 * conversation does not use it.
 */
export class MediaCache {
  readonly #maxBytes: number;
  readonly #inUse: () => ReadonlySet<string>;
  /** In order of use, the last used at the end. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(maxBytes = defaultMaxBytes, inUse: () => ReadonlySet<string> = () => new Set()) {
    this.#maxBytes = maxBytes;
    this.#inUse = inUse;
  }

  /** `isStored`: the store has a copy, so the entry may be evicted. */
  put(id: string, attachment: Attachment, isStored = false): void {
    this.drop(id);
    const bytes = attachmentSize(attachment);
    this.#entries.set(id, { attachment, bytes, isStored });
    this.#bytes += bytes;
    this.trim();
  }

  get(id: string): Attachment | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.attachment;
  }

  markStored(ids: Iterable<string>): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) entry.isStored = true;
    }
    this.trim();
  }

  drop(id: string): void {
    this.#bytes -= this.#entries.get(id)?.bytes ?? 0;
    this.#entries.delete(id);
  }

  /** Evicts entries over the limit. Also call it when another conversation is opened. */
  trim(): void {
    if (this.#bytes <= this.#maxBytes) return;
    const inUse = this.#inUse();
    for (const [id, { isStored }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      if (isStored && !inUse.has(id)) this.drop(id);
    }
  }
}

function attachmentSize(attachment: Attachment): number {
  return attachment.type === 'image' ? attachment.file.byteLength : attachment.samples.byteLength;
}
