/** Which of the program's own windows are to be seen. */
export interface WindowsShown {
  readonly main: boolean;
  readonly mini: boolean;
}
