/** The small window over other programs. */
export interface CursorWindow {
  /** `focus` only if the user wants to type; dictation leaves the focus in the other program. */
  readonly show: (focus: boolean) => void;
  readonly hide: () => void;
}
