/** Markdown as plain values: all there is, whatever a model writes. */
export type MarkdownBlock =
  | { readonly type: 'paragraph'; readonly children: readonly MarkdownInline[] }
  | {
      readonly type: 'heading';
      readonly level: number;
      readonly children: readonly MarkdownInline[];
    }
  | { readonly type: 'quote'; readonly children: readonly MarkdownBlock[] }
  | {
      readonly type: 'list';
      /** The first number of an ordered list. */
      readonly start: number | undefined;
      readonly items: readonly MarkdownListItem[];
    }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | {
      readonly type: 'table';
      readonly head: readonly MarkdownTableCell[];
      readonly rows: readonly MarkdownTableRow[];
    }
  | { readonly type: 'rule' }
  /** Shown as it was written: too long or too deep to be more. */
  | { readonly type: 'plain'; readonly text: string; readonly at: number };

export interface MarkdownListItem {
  /** Of a task; other items have none. */
  readonly checked: boolean | undefined;
  readonly children: readonly MarkdownBlock[];
}

export type MarkdownTableRow = readonly MarkdownTableCell[];

export interface MarkdownTableCell {
  readonly align: 'left' | 'right' | 'center' | undefined;
  readonly children: readonly MarkdownInline[];
}

export type MarkdownInline =
  /** `at` is its place in the whole text, so that what has been heard can be marked. */
  | { readonly type: 'text'; readonly text: string; readonly at: number }
  | {
      readonly type: 'strong' | 'emphasis' | 'deleted';
      readonly children: readonly MarkdownInline[];
    }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'break' }
  /** Checked: only http, https and mailto. `shown` is what a person must see of where it leads. */
  | {
      readonly type: 'link';
      readonly address: string;
      readonly shown: string;
      readonly children: readonly MarkdownInline[];
    }
  /** Never loaded: only its description, and where it would come from. */
  | { readonly type: 'image'; readonly alt: string; readonly address: string | undefined };

interface Keyed<Item> {
  readonly key: string;
  readonly item: Item;
}

/** The parts of a text are known by their places: while it grows, what stands before stays. */
export function withIndexKeys<Item>(items: readonly Item[]): readonly Keyed<Item>[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
