/** Markdown as plain values: all there is, whatever a model writes. */
export type Block =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | {
      readonly type: 'list';
      /** The first number of an ordered list. */
      readonly start: number | undefined;
      readonly items: readonly ListItem[];
    }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'table'; readonly head: readonly Cell[]; readonly rows: readonly Row[] }
  | { readonly type: 'rule' }
  /** Shown as it was written: too long or too deep to be more. */
  | { readonly type: 'plain'; readonly text: string; readonly at: number };

export interface ListItem {
  /** Of a task; other items have none. */
  readonly checked: boolean | undefined;
  readonly children: readonly Block[];
}

export type Row = readonly Cell[];

export interface Cell {
  readonly align: 'left' | 'right' | 'center' | undefined;
  readonly children: readonly Inline[];
}

export type Inline =
  /** `at` is its place in the whole text, so that what has been heard can be marked. */
  | { readonly type: 'text'; readonly text: string; readonly at: number }
  | { readonly type: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'break' }
  /** Checked: only http, https and mailto. `shown` is what a person must see of where it leads. */
  | {
      readonly type: 'link';
      readonly address: string;
      readonly shown: string;
      readonly children: readonly Inline[];
    }
  /** Never loaded: only its description, and where it would come from. */
  | { readonly type: 'image'; readonly alt: string; readonly address: string | undefined };
