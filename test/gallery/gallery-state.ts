import type { UiState } from '../../renderer/app/ui-state.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { Notice } from '../../shared/ipc/contract.ts';

/** A state of a screen, as plain data. */
export interface GalleryState {
  readonly view: (language: Language) => Partial<UiState>;
  /** Whose voice the waveform shows. */
  readonly heard?: 'you' | 'parley' | 'both';
  readonly capture?: 'open' | 'opening' | 'denied' | 'ended';
  readonly frame?: boolean;
  /** The level on the microphone meter. */
  readonly metered?: { readonly rmsDb: number; readonly peakDb: number };
  /** The window's size, if it is fixed. */
  readonly size?: { readonly width: number; readonly height: number };
  /** A selector to click after rendering. */
  readonly click?: string;
  /** Selectors to click in turn. */
  readonly clicks?: readonly string[];
  /** Notices that the core posts after the clicks. */
  readonly emit?: readonly Notice[];
  /** A selector to click after the notices. */
  readonly afterwards?: string;
  /** Emits a minute of measurements and waits for the graphs. */
  readonly drawn?: boolean;
  /** Like `click`, but presses Enter, as for a menu. */
  readonly key?: string;
  /** Adds a thumbnail to each shareable source. */
  readonly thumbnails?: boolean;
}

/**
 * The sample's text in a language. Pseudo languages get Chinese, so that any plain Latin text is Parley's
 * own.
 */
export function inLanguage<Text>(
  texts: { readonly en: Text; readonly zh: Text },
  language: Language,
): Text {
  return language === 'en' ? texts.en : texts.zh;
}
