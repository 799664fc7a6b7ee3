// The page of the gallery: shows the real screens in states that tests and screenshots choose.

import { Profiler } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { type AppContext, createAppContext } from '../../renderer/app/app-context.ts';
import { applyPageStyle, defaultPageStyle, type PageStyle } from '../../renderer/app/page-style.ts';
import { PageFrame } from '../../renderer/app/open-page.tsx';
import { ParleyPage } from '../../renderer/app/shell.tsx';
import type { UiState } from '../../renderer/app/ui-state.ts';
import { RegionPage } from '../../renderer/cursor/region-page.tsx';
import { SmallWindowPage } from '../../renderer/cursor/small-window-page.tsx';
import { createI18n } from '../../renderer/i18n/page-language.ts';
import { type Language, languageIds } from '../../shared/i18n/languages.ts';
import type { Notice, RequestName } from '../../shared/ipc/contract.ts';
import { createGalleryCore, type GalleryCore, painted, paintedCapture } from './gallery-core.ts';
import type { GalleryState } from './gallery-state.ts';
import { sampleSettings } from './sample-settings.ts';
import {
  aroundTalkStates,
  firstRunStates,
  inspectorStates,
  shellStates,
} from './states/around-talk.ts';
import { chatStates, replayStates } from './states/chat.ts';
import { cursorStates, miniStates } from './states/cursor.ts';
import { compareStates, exportStates, historyStates, reportStates } from './states/history.ts';
import { keyStates, memoryStates, updateStates } from './states/settings-more.ts';
import { settingsStates } from './states/settings.ts';
import { dockStates, talkStates, visionStates } from './states/talk.ts';
import { computerStates, toolStates } from './states/tools.ts';

const galleryStates: Readonly<Record<string, GalleryState>> = {
  ...talkStates,
  ...aroundTalkStates,
  ...dockStates,
  ...visionStates,
  ...replayStates,
  ...firstRunStates,
  ...inspectorStates,
  ...chatStates,
  ...historyStates,
  ...compareStates,
  ...exportStates,
  ...reportStates,
  ...shellStates,
  ...settingsStates,
  ...updateStates,
  ...memoryStates,
  ...toolStates,
  ...computerStates,
  ...keyStates,
  ...miniStates,
  ...cursorStates,
};

type Theme = PageStyle['appearance']['theme'];

/** `window.gallery`: shows any screen of the page in a given state, for tests and screenshots. */
export interface Gallery {
  readonly states: readonly string[];
  readonly sizeOf: (name: string) => GalleryState['size'];
  readonly show: (
    name: string,
    theme: Theme,
    /** The id of a language in the sources that the gallery was built from. */
    language: string,
    textSize?: number,
  ) => Promise<void>;
  /** Changes theme and text size, like the settings do. */
  readonly restyle: (theme: Theme, textSize: number) => void;
  readonly emit: (notice: Notice) => void;
  readonly asked: () => readonly { readonly name: RequestName; readonly input: unknown }[];
  /** Switches from the stopped clock to the page's clock. */
  readonly startClock: () => void;
  /** Durations of React's commits since the last call, in milliseconds. */
  readonly commits: () => readonly number[];
}

declare global {
  interface Window {
    gallery?: Gallery;
  }
}

let root: Root | undefined;
let core: GalleryCore | undefined;
let app: AppContext | undefined;
let commits: number[] = [];

async function show(name: string, theme: Theme, languageId: string, textSize = 100): Promise<void> {
  const language = languageIds.find((id) => id === languageId);
  if (language === undefined) throw new Error(`Unknown language ${languageId}.`);
  const state = galleryStates[name];
  if (state === undefined) throw new Error(`Unknown state ${name}.`);
  flushSync(() => root?.unmount());
  const page = document.querySelector('#root');
  if (page === null) throw new Error('The page has no #root.');
  const frame = await painted;
  const i18nInstance = await createI18n(language);
  core = createGalleryCore({
    cameras: state.view(language).visionUi?.cameras ?? [],
    settings: () => app?.store.getState().settings ?? sampleSettings,
    replay: () => app?.store.getState().replay ?? { kind: 'none' },
    devices: () => app?.store.getState().settingsUi.devices,
  });
  const shown = createAppContext({
    bridge: core.bridge,
    capture: core.capture,
    now: core.now,
    initialState: {
      windows: { main: true, mini: false },
      ...withAppearance(
        { settings: sampleSettings, ...(await viewOf(state, language)) },
        { theme, language, textSize },
      ),
      capture: paintedCapture(state.capture),
      ...(state.frame === true ? { sentFrame: frame } : {}),
    },
  });
  app = shown;
  const next = createRoot(page);
  root = next;
  flushSync(() => {
    next.render(
      <Profiler id="page" onRender={(_id, _phase, actual) => commits.push(actual)}>
        <PageFrame app={shown} i18nInstance={i18nInstance}>
          {pageOf(shown.store.getState().window)}
        </PageFrame>
      </Profiler>,
    );
  });
  await settle();
  core.speak(shown.levels, state.heard);
  if (state.metered !== undefined) shown.microphoneLevels.emit(state.metered);
  for (const selector of [
    ...(state.clicks ?? []),
    ...(state.click === undefined ? [] : [state.click]),
  ]) {
    document.querySelector<HTMLElement>(selector)?.click();
    await settle();
  }
  for (const notice of state.emit ?? []) core.emit(notice);
  if (state.drawn === true) core.emitMinute();
  if (state.emit !== undefined || state.drawn === true) await settle();
  if (state.afterwards !== undefined) {
    document.querySelector<HTMLElement>(state.afterwards)?.click();
  }
  if (state.drawn === true) await new Promise((resolve) => setTimeout(resolve, 200));
  if (state.key !== undefined) pressEnter(document.querySelector<HTMLElement>(state.key));
  await settle();
}

function pageOf(window: UiState['window']) {
  if (window === 'cursor') return <SmallWindowPage />;
  return window === 'region' ? <RegionPage /> : <ParleyPage />;
}

async function viewOf({ view, thumbnails }: GalleryState, language: Language) {
  const shown = view(language);
  const picking = shown.visionUi?.picking;
  if (thumbnails !== true || shown.visionUi === undefined || picking?.list === undefined)
    return shown;
  const { jpeg: thumbnail } = await painted;
  const list = picking.list.map((source) => ({ ...source, thumbnail }));
  return { ...shown, visionUi: { ...shown.visionUi, picking: { ...picking, list } } };
}

function pressEnter(element: HTMLElement | null): void {
  element?.focus();
  element?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
}

/** Applies the appearance to the settings, or to the page style if there are none yet. */
function withAppearance(
  view: Partial<UiState>,
  appearance: PageStyle['appearance'],
): Partial<UiState> {
  const { settings } = view;
  return settings === undefined
    ? { ...view, pageStyle: { ...defaultPageStyle, appearance } }
    : { ...view, settings: { ...settings, appearance } };
}

/** Waits for lazy screens, fonts, effects and the first layout of captions. */
async function settle(): Promise<void> {
  await import('../../renderer/inspector/inspector.tsx');
  while (document.querySelector('main[aria-busy="true"]') !== null) await nextFrame();
  while (app?.store.getState().inspectorOpen === true) {
    if (document.querySelector('.inspector') !== null) break;
    await nextFrame();
  }
  while (app?.store.getState().guide !== undefined) {
    if (document.querySelector('.guide') !== null) break;
    await nextFrame();
  }
  while (document.querySelector('.guide-text[aria-busy="true"]') !== null) await nextFrame();
  await document.fonts.ready;
  for (let frame = 0; frame < 3; frame += 1) {
    await nextFrame();
  }
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
}

window.gallery = {
  states: Object.keys(galleryStates),
  sizeOf: (name) => galleryStates[name]?.size,
  show,
  restyle: (theme, textSize) => {
    const { captions, appearance } = defaultPageStyle;
    applyPageStyle(
      { captions, appearance: { ...appearance, theme, textSize } },
      document.documentElement,
    );
  },
  emit: (notice) => {
    if (notice.name === 'level') app?.levels.emit(notice.payload);
    else core?.emit(notice);
  },
  asked: () => core?.asked ?? [],
  startClock: () => core?.startClock(),
  commits: () => {
    const before = commits;
    commits = [];
    return before;
  },
};
