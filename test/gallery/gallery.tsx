import '@fontsource-variable/inter/wght.css';
import { Profiler } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { ParleyPage } from '../../renderer/shell/parley-page.tsx';
import { applyLook } from '../../renderer/shell/apply-look.ts';
import { joinBridge } from '../../renderer/store/join-bridge.ts';
import type { View } from '../../renderer/store/view.ts';
import type { Desk } from '../../renderer/store/join-bridge.ts';
import { usualLook } from '../../renderer/store/look.ts';
import type { Look } from '../../renderer/store/look.ts';
import '../../renderer/style/tokens.css';
import '../../renderer/style/base.css';
import { openWords } from '../../renderer/words/open-words.ts';
import type { Language } from '../../renderer/words/choose-language.ts';
import type { Notice, RequestName } from '../../shared/ipc/contract.ts';
import { createStage } from './stage.ts';
import type { Stage } from './stage.ts';
import type { GalleryState } from './gallery-state.ts';
import { usualSettings } from './sample-settings.ts';
import { painted, paintedEye } from './painted-picture.ts';
import { galleryStates } from './states.ts';

type Theme = Look['appearance']['theme'];

export interface Gallery {
  readonly states: readonly string[];
  readonly sizeOf: (name: string) => GalleryState['size'];
  readonly show: (
    name: string,
    theme: Theme,
    language: Language,
    textSize?: number,
  ) => Promise<void>;
  /** The state that is shown, in another theme or size, as the settings would put it there. */
  readonly restyle: (theme: Theme, textSize: number) => void;
  /** What the core would tell. */
  readonly tell: (notice: Notice) => void;
  /** What the page asked of the core. */
  readonly asked: () => readonly { readonly name: RequestName; readonly input: unknown }[];
  /** From now on the clock is the page's own. */
  readonly startClock: () => void;
  /** How often React worked, and how long, since the last time it was asked. */
  readonly commits: () => readonly number[];
}

declare global {
  interface Window {
    gallery?: Gallery;
  }
}

let root: Root | undefined;
let stage: Stage | undefined;
let desk: Desk | undefined;
let commits: number[] = [];

async function show(name: string, theme: Theme, language: Language, textSize = 100): Promise<void> {
  const state = galleryStates[name];
  if (state === undefined) throw new Error(`There is no state called ${name}.`);
  flushSync(() => root?.unmount());
  const page = document.querySelector('#root');
  if (page === null) throw new Error('The page has no #root.');
  const frame = await painted;
  stage = createStage({
    cameras: state.view(language).seeing?.cameras ?? [],
    settings: () => desk?.store.view().settings ?? usualSettings,
  });
  const shown = joinBridge({
    bridge: stage.bridge,
    eye: stage.eye,
    now: stage.now,
    first: {
      windows: { main: true, mini: false },
      ...inLook(
        { settings: usualSettings, ...(await viewOf(state, language)) },
        { theme, language, textSize },
      ),
      eye: paintedEye(state.eye),
      ...(state.frame === true ? { sentFrame: frame } : {}),
    },
  });
  desk = shown;
  const next = createRoot(page);
  root = next;
  flushSync(() => {
    next.render(
      <Profiler id="page" onRender={(_id, _phase, actual) => commits.push(actual)}>
        <ParleyPage desk={shown} words={openWords(language)} />
      </Profiler>,
    );
  });
  await settle();
  stage.speak(shown.levels, state.heard);
  if (state.metered !== undefined) shown.meter.tell(state.metered);
  for (const one of [
    ...(state.clicks ?? []),
    ...(state.click === undefined ? [] : [state.click]),
  ]) {
    document.querySelector<HTMLElement>(one)?.click();
    await settle();
  }
  for (const notice of state.tell ?? []) stage.tell(notice);
  if (state.drawn === true) stage.goThroughMinute();
  // Most states are told nothing, and need not be waited for again.
  if (state.tell !== undefined || state.drawn === true) await settle();
  if (state.afterwards !== undefined) {
    document.querySelector<HTMLElement>(state.afterwards)?.click();
  }
  if (state.drawn === true) await new Promise((resolve) => setTimeout(resolve, 200));
  if (state.key !== undefined) pressEnter(document.querySelector<HTMLElement>(state.key));
  await settle();
}

async function viewOf({ view, thumbnails }: GalleryState, language: Language) {
  const shown = view(language);
  const picking = shown.seeing?.picking;
  if (thumbnails !== true || shown.seeing === undefined || picking?.list === undefined)
    return shown;
  const { jpeg: thumbnail } = await painted;
  const list = picking.list.map((one) => ({ ...one, thumbnail }));
  return { ...shown, seeing: { ...shown.seeing, picking: { ...picking, list } } };
}

function pressEnter(element: HTMLElement | null): void {
  element?.focus();
  element?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
}

/** A view with its look, whether its settings have come or not. */
function inLook(view: Partial<View>, appearance: Look['appearance']): Partial<View> {
  const { settings } = view;
  return settings === undefined
    ? { ...view, look: { ...usualLook, appearance } }
    : { ...view, settings: { ...settings, appearance } };
}

/** Screens that load late, fonts, effects and the first measurements of the captions. */
async function settle(): Promise<void> {
  await import('../../renderer/inspector/inspector.tsx');
  while (document.querySelector('main[aria-busy="true"]') !== null) await nextFrame();
  while (desk?.store.view().inspectorOpen === true) {
    if (document.querySelector('.inspector') !== null) break;
    await nextFrame();
  }
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
    const { captions, appearance } = usualLook;
    applyLook(
      { captions, appearance: { ...appearance, theme, textSize } },
      document.documentElement,
    );
  },
  tell: (notice) => {
    if (notice.name === 'level') desk?.levels.tell(notice.payload);
    else stage?.tell(notice);
  },
  asked: () => stage?.asked ?? [],
  startClock: () => stage?.startClock(),
  commits: () => {
    const before = commits;
    commits = [];
    return before;
  },
};
