interface Keyed<Item> {
  readonly key: string;
  readonly item: Item;
}

/** The parts of a text are known by their places: while it grows, what stands before stays. */
export function withIndexKeys<Item>(items: readonly Item[]): readonly Keyed<Item>[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
