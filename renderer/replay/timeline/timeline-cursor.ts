import type { TFunction } from 'i18next';
import type { OpenReplay } from '../../../shared/replay/replay-view.ts';
import { clockTime } from '../../talk/use-countdown.ts';

/** As those hear it who cannot see it. */
export function cursorText(t: TFunction, at: number, lengthMs: number): string {
  return t('replay.position', {
    time: clockTime(at / 1000),
    length: clockTime(lengthMs / 1000),
  });
}

interface CursorElements {
  readonly slider: HTMLElement;
  readonly cursor: HTMLElement;
}

/** Puts the cursor to its place past React: ten times a second nothing else of the page is drawn for it. */
export function placeCursor(
  { slider, cursor }: CursorElements,
  { play, timeline: { lengthMs } }: Pick<OpenReplay, 'play' | 'timeline'>,
  at: number,
  t: TFunction,
): void {
  cursor.dataset['glides'] = `${play.playing && at === play.at}`;
  cursor.style.left = `${lengthMs === 0 ? 0 : Math.min(100, (at / lengthMs) * 100)}%`;
  // Whoever listens to it would else hear it speak without end.
  if (play.playing && document.activeElement === slider) return;
  slider.ariaValueMin = '0';
  slider.ariaValueMax = `${Math.round(lengthMs / 1000)}`;
  slider.ariaValueNow = `${Math.round(at / 1000)}`;
  slider.ariaValueText = cursorText(t, at, lengthMs);
}
