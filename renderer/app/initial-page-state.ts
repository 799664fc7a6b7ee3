import {
  type FirstState,
  firstStateMetaName,
  type FirstStepsStatus,
  firstStepsStatus,
  type RecoveryNote,
  recoveryNotes,
  recoveryParameter,
} from '../../shared/app/program.ts';
import { isJsonObject } from '../../shared/protocol/json.ts';
import { appearanceSettings, captionSettings } from '../../shared/settings/app-settings.ts';
import { initialSettingsUiState, settingsSections } from '../settings/settings-ui-state.ts';
import {
  selectAppearance,
  selectCaptions,
  defaultPageStyle,
  type PageStyle,
} from './page-style.ts';
import type { Store } from './store.ts';
import { screenNames, type UiState } from './ui-state.ts';

/** State that the host wrote into the page; empty in other pages. */
export function readFirstState(page: Pick<Document, 'querySelector'>): Partial<FirstState> {
  const content = page.querySelector(`meta[name="${firstStateMetaName}"]`)?.getAttribute('content');
  if (content === undefined || content === null || content === 'unknown') return {};
  return JSON.parse(content) as FirstState;
}

/** Whether the first-run steps are due. Undefined until that is known; the page stays empty meanwhile. */
export function selectFirstSteps({
  settings,
  firstSteps,
  problem,
}: Pick<UiState, 'settings' | 'firstSteps' | 'problem'>): FirstStepsStatus | undefined {
  if (settings !== undefined) return firstStepsStatus(settings);
  // If the settings cannot be read, the status would stay unknown, so the talk screen is shown.
  return firstSteps ?? (problem === undefined ? undefined : 'done');
}

const screenKey = 'parley.place';
const sectionKey = 'parley.section';

/** Restores the screen and settings section after a reload. */
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

const pageStyleKey = 'parley.look';

/** Caches theme, size and language for the first frame, before the settings arrive and override them. */
export function persistPageStyle(storage: Pick<Storage, 'getItem' | 'setItem'>): {
  readonly restored: PageStyle;
  readonly follow: (store: Store<UiState>) => void;
} {
  const stored = storage.getItem(pageStyleKey);
  return {
    restored: readPageStyle(stored),
    follow: (store) => {
      let written = stored;
      store.subscribe(() => {
        const view = store.getState();
        if (view.settings === undefined) return;
        const style = JSON.stringify({
          appearance: selectAppearance(view),
          captions: selectCaptions(view),
        });
        if (style === written) return;
        written = style;
        storage.setItem(pageStyleKey, style);
      });
    },
  };
}

function readPageStyle(stored: string | null): PageStyle {
  const value = parseJson(stored);
  if (!isJsonObject(value)) return defaultPageStyle;
  return {
    appearance: appearanceSettings.read(
      value['appearance'],
      defaultPageStyle.appearance,
      '',
      ignore,
    ),
    captions: captionSettings.read(value['captions'], defaultPageStyle.captions, '', ignore),
  };
}

const ignore = (): void => undefined;

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

/** Reads the recovery note from the address and removes it, so that a reload does not show it again. */
export function readRecoveryNote(
  page: Pick<Location, 'href'>,
  history: Pick<History, 'replaceState'>,
): RecoveryNote | undefined {
  const address = new URL(page.href);
  const parameter = address.searchParams.get(recoveryParameter);
  if (parameter === null) return undefined;
  address.searchParams.delete(recoveryParameter);
  history.replaceState(null, '', address.href);
  return recoveryNotes.find((note) => note === parameter);
}
