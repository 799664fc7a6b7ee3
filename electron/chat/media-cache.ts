/** A picture ready to send, or sound of 16 kHz mono. */
export type Attachment =
  | { readonly type: 'image'; readonly file: Uint8Array }
  | { readonly type: 'audio'; readonly samples: Float32Array };

interface Entry {
  readonly attachment: Attachment;
  readonly bytes: number;
  stored: boolean;
}

/** A dozen conversations full of pictures. */
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * What conversations refer to by id. What has not been used for longest goes when there is too much,
 * but only what the store has, too, and what is not part of the open conversation.
 */
export class MediaCache {
  readonly #maxBytes: number;
  readonly #inUse: () => ReadonlySet<string>;
  /** Those used last stand last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(maxBytes = defaultMaxBytes, inUse: () => ReadonlySet<string> = () => new Set()) {
    this.#maxBytes = maxBytes;
    this.#inUse = inUse;
  }

  /** With `stored` it can be read from the store again. */
  put(id: string, attachment: Attachment, stored = false): void {
    this.drop(id);
    const bytes = bytesIn(attachment);
    this.#entries.set(id, { attachment, bytes, stored });
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
      if (entry !== undefined) entry.stored = true;
    }
    this.trim();
  }

  drop(id: string): void {
    this.#bytes -= this.#entries.get(id)?.bytes ?? 0;
    this.#entries.delete(id);
  }

  /** Also to be called when another conversation is opened. */
  trim(): void {
    if (this.#bytes <= this.#maxBytes) return;
    const inUse = this.#inUse();
    for (const [id, { stored }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      if (stored && !inUse.has(id)) this.drop(id);
    }
  }
}

function bytesIn(attachment: Attachment): number {
  return attachment.type === 'image' ? attachment.file.byteLength : attachment.samples.byteLength;
}
