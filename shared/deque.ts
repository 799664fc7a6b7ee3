/** A queue whose front is taken, and whose end is added to or cut off, at the same cost however long it is. */
export class Deque<Item> {
  #items: Item[] = [];
  /** Those before it are taken, and go when they are the greater part. */
  #front = 0;

  get length(): number {
    return this.#items.length - this.#front;
  }

  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.#items[this.#front + index];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** In the place of one that is there, or behind the last. */
  set(index: number, item: Item): void {
    this.#items[this.#front + Math.min(index, this.length)] = item;
  }

  shift(): Item | undefined {
    const item = this.#items[this.#front];
    if (item === undefined) return undefined;
    this.#front += 1;
    if (this.#front * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#front);
      this.#front = 0;
    }
    return item;
  }

  /** Keeps only so many, the first ones. */
  truncate(length: number): void {
    this.#items.length = Math.min(this.#items.length, this.#front + length);
  }

  *[Symbol.iterator](): Generator<Item, void> {
    for (let index = 0; index < this.length; index += 1) {
      const item = this.at(index);
      if (item !== undefined) yield item;
    }
  }
}
