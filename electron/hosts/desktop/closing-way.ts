import type { DesktopSettings } from '../../../shared/settings/desktop-settings.ts';

/** What closing the last window comes to. */
export type ClosingWay = 'hide' | 'minimize' | 'quit';

/**
 * Without a tray nothing is hidden: nobody could bring it back. Who wants it kept there finds it in the list
 * of windows, and who has said nothing sees it end, as every program does there.
 */
export function closingWay(setting: DesktopSettings['closing'], trayShown: boolean): ClosingWay {
  if (setting === 'quit') return 'quit';
  if (trayShown) return 'hide';
  return setting === 'keep' ? 'minimize' : 'quit';
}
