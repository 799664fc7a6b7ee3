/** The small window over other programs. */
export interface CursorWindow {
  /**
   * Shows it at the size of a question or of a dictation. `focus` only if the user wants to type; otherwise the focus
   * stays in the other program.
   */
  readonly show: (surface: 'ask' | 'dictate', focus: boolean) => void;
  readonly hide: () => void;
  readonly hasFocus: () => boolean;
}
