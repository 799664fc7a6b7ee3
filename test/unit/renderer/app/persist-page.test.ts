import { describe, expect, it } from 'vitest';
import {
  persistPageStyle,
  persistScreen,
  readFirstState,
  selectFirstSteps,
} from '../../../../renderer/app/initial-page-state.ts';
import { applyPageStyle, defaultPageStyle } from '../../../../renderer/app/page-style.ts';
import { createStore } from '../../../../renderer/app/store.ts';
import { initialUiState, type UiState } from '../../../../renderer/app/ui-state.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { redactSettings, defaultSettings } from '../../../../shared/settings/settings.ts';
import { sampleSettings } from '../../../gallery/sample-settings.ts';

function storage(kept?: string) {
  const values = new Map(kept === undefined ? [] : [['parley.look', kept]]);
  let writes = 0;
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      writes += 1;
      values.set(key, value);
    },
    writes: () => writes,
  };
}

describe('the cached page style', () => {
  it('falls back to the default if it is missing or malformed', () => {
    const broken = ['{', 'null', '[]', '{"appearance":7}', '{"appearance":{"theme":"pink"}}'];
    for (const kept of [undefined, ...broken]) {
      expect(persistPageStyle(storage(kept)).restored, kept).toEqual(defaultPageStyle);
    }
  });

  it('is written once when the style changes, and never for other state', () => {
    const place = storage();
    const store = createStore<UiState>(initialUiState);
    persistPageStyle(place).follow(store);
    store.setState({ paletteOpen: true });
    expect(place.writes()).toBe(0);
    const settings = redactSettings({
      ...defaultSettings,
      appearance: { theme: 'dark', textSize: 150, language: 'zh' },
    });
    store.setState({ settings });
    store.setState({ paletteOpen: false });
    expect(place.writes()).toBe(1);
    expect(persistPageStyle(place).restored.appearance).toEqual(settings.appearance);
  });
});

describe('applyPageStyle', () => {
  it('sets theme, contrast, font size and caption scale on the root element', () => {
    const properties = new Map<string, string>();
    const page = {
      dataset: {} as Record<string, string>,
      style: {
        fontSize: '',
        setProperty: (name: string, value: string) => properties.set(name, value),
      },
    };
    const look = {
      appearance: { theme: 'dark', textSize: 200, language: 'zh' },
      captions: { size: 42, contrast: 'high' },
    } as const;
    applyPageStyle(look, page as unknown as HTMLElement);
    expect(page.dataset).toEqual({ theme: 'dark', contrast: 'high' });
    expect(page.style.fontSize).toBe('200%');
    expect(properties.get('--caption-scale')).toBe('1.5');
  });
});

function screenStorage(kept: readonly (readonly [string, string])[] = []) {
  const values = new Map(kept);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

it('a reloaded page restores the screen and the settings section', () => {
  const kept = screenStorage();
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
  const old = screenStorage([
    ['parley.place', 'about'],
    ['parley.section', 'nowhere'],
  ]);
  expect(persistScreen(old).restored).toMatchObject({
    screen: 'talk',
    settingsUi: { section: 'endpoints' },
  });
});

const page = (content: string | undefined): Pick<Document, 'querySelector'> => ({
  querySelector: (selector: string) =>
    content !== undefined && selector === 'meta[name="parley-first-state"]'
      ? { getAttribute: (name: string) => (name === 'content' ? content : null) }
      : null,
});

it('the first state is read only from a page into which the host wrote one', () => {
  const written = { firstSteps: 'done', windows: { main: true, mini: false } };
  expect(readFirstState(page(JSON.stringify(written)))).toEqual(written);
  expect(readFirstState(page('unknown'))).toEqual({});
  expect(readFirstState(page(undefined))).toEqual({});
});

it('the settings decide about the first steps, or else the host’s state', () => {
  const begun = { ...sampleSettings, firstRun: { done: false } };
  const now = (view: Partial<Parameters<typeof selectFirstSteps>[0]>) =>
    selectFirstSteps({ settings: undefined, firstSteps: undefined, problem: undefined, ...view });
  expect(now({ settings: begun, firstSteps: 'done' })).toBe('due');
  expect(now({ settings: sampleSettings, firstSteps: 'due' })).toBe('done');
  expect(now({ firstSteps: 'due' })).toBe('due');
  expect(now({})).toBeUndefined();
  // Failed settings must not keep the page empty.
  expect(now({ problem: appError('settingsUnread') })).toBe('done');
});
