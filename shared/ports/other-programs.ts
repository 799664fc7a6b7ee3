import type { Outcome } from '../errors/app-error.ts';

/** A window of another program, as it was when the user pressed one of Parley's keys. */
export interface ForeignWindow {
  readonly id: string;
  readonly title: string;
  /** The class or program name in lower case. Empty if unknown. */
  readonly program: string;
}

export interface SelectedText {
  /** At most 100,000 characters. Empty if nothing is selected. */
  readonly text: string;
  readonly cut: boolean;
}

export type ClipboardContent =
  | { readonly kind: 'empty' }
  | ({ readonly kind: 'text' } & SelectedText)
  /** A JPEG or PNG of any size. */
  | { readonly kind: 'picture'; readonly file: Uint8Array };

/** The system's clipboard, which other programs use. */
export interface ForeignClipboard {
  /** The primary selection of Linux desktops. Empty on other systems. */
  readonly selectedText: () => Promise<SelectedText>;
  readonly text: () => Promise<SelectedText>;
  /** The bytes of a copied picture. */
  readonly picture: () => Promise<Uint8Array | undefined>;
  readonly write: (text: string) => Promise<void>;
  /** Remembers the content of the clipboard, and returns a function that restores it. */
  readonly remember: () => Promise<() => Promise<void>>;
}

/** The programs beside Parley on the user's desktop. */
export interface OtherPrograms {
  /** The window with the focus. Undefined if it is Parley's own or unknown, as under Wayland. */
  readonly active: () => Promise<ForeignWindow | undefined>;
  readonly selection: () => Promise<SelectedText>;
  readonly clipboard: () => Promise<ClipboardContent>;
  readonly copy: (text: string) => void;
  /** Gives the focus back to a window. Does nothing without X11. */
  readonly focus: (window: ForeignWindow) => Promise<Outcome<undefined>>;
  /** Whether `insert` can put a text there. Without a window it can only under Wayland. */
  readonly canInsert: (window: ForeignWindow | undefined) => boolean;
  /**
   * Gives the focus back, pastes the text there and restores the clipboard with all its formats. If it fails, the text
   * stays on the clipboard.
   */
  readonly insert: (text: string, window: ForeignWindow | undefined) => Promise<Outcome<undefined>>;
}

/** The window with a picture of the whole screen, on which the user chooses a part. */
export interface RegionWindow {
  /**
   * Creates the window, invisible, on the screen with the pointer. `onClosed` is called when it has closed, also after
   * `close`.
   */
  readonly open: (onClosed: () => void) => void;
  readonly show: () => void;
  readonly close: () => void;
}

/** The small window over other programs. */
export interface CursorWindow {
  /** Creates the window, hidden, so that it can be shown at once. */
  readonly prepare: () => void;
  /**
   * Shows the window at the size of a question or of a dictation. With `focus` it takes the keyboard; otherwise the other
   * program keeps it.
   */
  readonly show: (surface: 'ask' | 'dictate', focus: boolean) => void;
  readonly hide: () => void;
  /** The page calls this once it can handle keys. Until then the window stays hidden, because keys would be lost. */
  readonly pageReady: () => void;
  readonly hasFocus: () => boolean;
  /** Sets what runs when the user closes the window by a means of the system. It ends the question and the dictation. */
  readonly onClosed: (close: () => void) => void;
}
