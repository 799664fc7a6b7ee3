/** A picture ready to send, or sound of 16 kHz mono. */
export type Attachment =
  | { readonly type: 'image'; readonly file: Uint8Array }
  | { readonly type: 'audio'; readonly samples: Float32Array };

/** What conversations refer to by id. */
export class MediaCache {
  readonly #attachments = new Map<string, Attachment>();

  put(id: string, attachment: Attachment): void {
    this.#attachments.set(id, attachment);
  }

  get(id: string): Attachment | undefined {
    return this.#attachments.get(id);
  }

  drop(id: string): void {
    this.#attachments.delete(id);
  }
}
