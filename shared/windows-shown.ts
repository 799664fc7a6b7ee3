/** Which of the program's own windows are to be seen. */
export interface WindowsShown {
  readonly main: boolean;
  readonly mini: boolean;
  /** Parley goes on when the last of them is closed. */
  readonly stays?: true;
}
