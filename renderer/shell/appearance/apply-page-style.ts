import type { PageStyle } from '../../store/page-style.ts';

/** The size of captions for which the type scale is drawn; others are a multiple of it. */
const drawnFor = 28;

/** Puts a look where the style looks for it. Every length is in rem, so that text scales the page. */
export function applyPageStyle({ appearance, captions }: PageStyle, page: HTMLElement): void {
  page.dataset['theme'] = appearance.theme;
  page.dataset['contrast'] = captions.contrast;
  page.style.fontSize = `${appearance.textSize}%`;
  page.style.setProperty('--caption-scale', String(captions.size / drawnFor));
}
