interface Placed<Item> {
  readonly place: string;
  readonly item: Item;
}

/** The parts of a text are known by their places: while it grows, what stands before stays. */
export function placed<Item>(items: readonly Item[]): readonly Placed<Item>[] {
  return items.map((item, index) => ({ place: String(index), item }));
}
