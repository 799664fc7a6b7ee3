/** A queue with amortised constant cost at both ends. */
export class Deque<Item> {
  #items: Item[] = [];
  /** Index of the first live item. Items before it are dropped once they are more than half. */
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

  /** Replaces an item, or appends if the index is past the end. */
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

/** Returns a single part as it is, without a copy. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Finds the number of leading items for which `isBefore` is true, by binary search. It must be false for all others. */
export function partitionPoint(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
