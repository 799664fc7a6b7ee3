import { expect, it } from 'vitest';
import { persistScreen } from '../../../../renderer/app/initial-page-state.ts';
import { createStore } from '../../../../renderer/app/store.ts';
import { initialUiState, type UiState } from '../../../../renderer/app/ui-state.ts';

function storage(kept: readonly (readonly [string, string])[] = []) {
  const values = new Map(kept);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

it('a reloaded page restores the screen and the settings section', () => {
  const kept = storage();
  const store = createStore<UiState>(initialUiState);
  persistScreen(kept).follow(store);
  store.setState({
    screen: 'settings',
    settingsUi: { ...initialUiState.settingsUi, section: 'privacy' },
  });
  expect(persistScreen(kept).restored).toMatchObject({
    screen: 'settings',
    settingsUi: { section: 'privacy' },
  });
});

it('an unknown stored screen becomes the first screen', () => {
  const old = storage([
    ['parley.place', 'about'],
    ['parley.section', 'nowhere'],
  ]);
  expect(persistScreen(old).restored).toMatchObject({
    screen: 'talk',
    settingsUi: { section: 'endpoints' },
  });
});
