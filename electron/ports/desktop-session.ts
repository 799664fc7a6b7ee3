/** What the desktop that the person is logged in to says of itself. */
export interface DesktopSession {
  /** Whether there is somebody who could show a notification; asking nobody only fills the log. */
  readonly notifies: () => boolean;
  /** Whether somebody shows the icons of trays, as far as that can be told. */
  readonly trayShown: () => boolean;
  /** Calls back each time that changes, until the returned function is called. */
  readonly onTrayShown: (changed: (shown: boolean) => void) => () => void;
  /** Calls back each time the screen is locked, until the returned function is called. */
  readonly onLock: (locked: () => void) => () => void;
}
