import { createContext } from 'react';

/** What a text's elements do and say, handed in by the screen that shows it. */
export interface MarkdownActions {
  /** The host opens the address outside; the page itself goes nowhere. */
  readonly openLink: (address: string) => void;
  readonly copyCode: (text: string) => void;
  readonly labels: {
    readonly copy: string;
    /** For a moment after that. */
    readonly copied: string;
    /** Stands for a picture that is not loaded and has no description. */
    readonly picture: string;
  };
}

export const MarkdownContext = createContext<MarkdownActions>({
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: '', copied: '', picture: '' },
});

/** How far the text has been heard, in characters; nothing where it is not spoken. */
export const HeardContext = createContext<number | undefined>(undefined);
