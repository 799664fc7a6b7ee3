/** Pictures of about 50 kB each: as many as one looks at in a row. */
const most = 100;

/** A tape's pictures by their numbers, each asked for once. */
export class PictureCache {
  readonly #load: (picture: number) => Promise<Uint8Array | undefined>;
  readonly #pictures = new Map<number, Promise<Uint8Array | undefined>>();

  constructor(load: (picture: number) => Promise<Uint8Array | undefined>) {
    this.#load = load;
  }

  get(picture: number): Promise<Uint8Array | undefined> {
    const loaded = this.#pictures.get(picture) ?? this.#load(picture);
    // The one that was looked at last is the last to go.
    this.#pictures.delete(picture);
    this.#pictures.set(picture, loaded);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > most && oldest !== undefined) this.#pictures.delete(oldest);
    return loaded;
  }
}
