import type { Look } from '../store/look.ts';
import { chooseLanguage } from '../words/choose-language.ts';
import type { Language } from '../words/choose-language.ts';

/** The size of captions for which the type scale is drawn; others are a multiple of it. */
const drawnFor = 28;

/** Puts a look where the style looks for it. Every length is in rem, so that text scales the page. */
export function applyLook({ appearance, captions }: Look, page: HTMLElement): void {
  page.dataset['theme'] = appearance.theme;
  page.dataset['contrast'] = captions.contrast;
  page.style.fontSize = `${appearance.textSize}%`;
  page.style.setProperty('--caption-scale', String(captions.size / drawnFor));
}

export function languageOf(
  { language }: Look['appearance'],
  languages: readonly string[],
): Language {
  return language === 'system' ? chooseLanguage(languages) : language;
}
