import { initialSettingsUiState, settingsSections } from '../store/settings/settings-ui-state.ts';
import type { Store } from '../store/store.ts';
import { screenNames } from '../store/ui-state.ts';
import type { UiState } from '../store/ui-state.ts';

const screenKey = 'parley.place';
const sectionKey = 'parley.section';

/** A page that is loaded again shows the screen where the person was, and the part of it. */
export function persistScreen(storage: Pick<Storage, 'getItem' | 'setItem'>): {
  readonly restored: Pick<UiState, 'screen' | 'settingsUi'>;
  readonly follow: (store: Store<UiState>) => void;
} {
  const stored = (key: string): string | null => storage.getItem(key);
  const persist = (key: string, value: string): void => {
    if (value !== stored(key)) storage.setItem(key, value);
  };
  const { section: first } = initialSettingsUiState;
  const section = settingsSections.find((each) => each === stored(sectionKey)) ?? first;
  return {
    restored: {
      screen: screenNames.find((name) => name === stored(screenKey)) ?? 'talk',
      settingsUi: { ...initialSettingsUiState, section },
    },
    follow: (store) => {
      store.subscribe(() => {
        const { screen, settingsUi } = store.getState();
        persist(screenKey, screen);
        persist(sectionKey, settingsUi.section);
      });
    },
  };
}
