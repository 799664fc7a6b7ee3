import type { UiState } from '../../renderer/app/ui-state.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { Notice } from '../../shared/ipc/contract.ts';

/** What a screen is shown with, from plain data. */
export interface GalleryState {
  readonly view: (language: Language) => Partial<UiState>;
  /** Who is heard on the waveform. */
  readonly heard?: 'you' | 'parley' | 'both';
  /** What the camera is doing. */
  readonly capture?: 'open' | 'opening' | 'denied' | 'ended';
  readonly frame?: boolean;
  /** How loud the microphone is that is looked at. */
  readonly metered?: { readonly rmsDb: number; readonly peakDb: number };
  /** How large its window is, where it is not as large as one makes it. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Done once it stands, for what opens by a click. */
  readonly click?: string;
  /** Several, each after the page has settled. */
  readonly clicks?: readonly string[];
  /** What the core posts then. */
  readonly emit?: readonly Notice[];
  /** A click after those notices. */
  readonly afterwards?: string;
  /** Has graphs, which are drawn a moment later; a minute of them is made up. */
  readonly drawn?: boolean;
  /** As `click`, for what opens by a key, such as a menu. */
  readonly key?: string;
  /** What can be shared is shown with a picture. */
  readonly thumbnails?: boolean;
}
