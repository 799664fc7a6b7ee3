import type { WindowsShown } from '../../shared/windows-shown.ts';

/** The program's own windows, where a host has any. */
export interface AppWindows {
  readonly shown: () => WindowsShown;
  readonly showMini: () => void;
  readonly closeMini: () => void;
  readonly showMain: () => void;
  readonly quit: () => void;
}
