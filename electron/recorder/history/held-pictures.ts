/** A picture that went to the model and is not on the disk. */
export interface HeldPicture {
  readonly file: string;
  readonly jpeg: Uint8Array;
}

/** A talk with the camera for half an hour; what is more is thinned out. */
const maxBytes = 32 * 1024 * 1024;

/** Pictures of a talk of which nobody has said yet whether it is to be kept. In memory, and not without end. */
export class HeldPictures {
  #pictures: readonly HeldPicture[] = [];

  get all(): readonly HeldPicture[] {
    return this.#pictures;
  }

  add(picture: HeldPicture): void {
    this.#pictures = [...this.#pictures, picture];
    // From the whole of the talk some are better than all of its end.
    while (this.#bytes > maxBytes && this.#pictures.length > 1)
      this.#pictures = this.#pictures.filter((_picture, index) => index % 2 === 1);
  }

  clear(): void {
    this.#pictures = [];
  }

  get #bytes(): number {
    return this.#pictures.reduce((sum, { jpeg }) => sum + jpeg.length, 0);
  }
}
