import { nativeTheme } from 'electron';
import type { Parley } from '../../core/compose-parley.ts';

/**
 * The chosen theme for the whole window: its frame, its menus, and what is painted before the page has
 * said a word.
 */
export function followTheme({ settings, lifetime }: Pick<Parley, 'settings' | 'lifetime'>): void {
  nativeTheme.themeSource = settings.get().appearance.theme;
  lifetime.add(
    settings.listen((event) => {
      if (event.kind === 'changed') nativeTheme.themeSource = event.settings.appearance.theme;
    }),
  );
}
