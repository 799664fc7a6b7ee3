import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { resolveLanguage } from '../shared/i18n/languages.ts';
import { createAppContext } from './app/app-context.ts';
import { connectBridge } from './app/bridge/socket-bridge.ts';
import {
  persistPageStyle,
  persistScreen,
  readFirstState,
  readRecoveryNote,
} from './app/initial-page-state.ts';
import { applyPageStyle } from './app/page-style.ts';
import { loadFirstRun } from './app/error-boundary.tsx';
import { nextFrame, onFrameTick } from './app/frame-tick.ts';
import { ParleyPage } from './app/shell.tsx';
import type { UiState } from './app/ui-state.ts';
import { connectCaptureController } from './capture/connect-capture-controller.ts';
import { createI18n } from './i18n/page-language.ts';
import { playChime, playQueueChimes } from './talk/queue-chime.ts';
import '@fontsource-variable/inter/wght.css';
import './style/tokens.css';
import './style/base.css';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root element.');

// Runs before the first paint.
const pageStyle = persistPageStyle(localStorage);
applyPageStyle(pageStyle.restored, document.documentElement);
// Loads during the rest of the start.
const { language } = pageStyle.restored.appearance;
const i18nLoaded = createI18n(resolveLanguage(language, navigator.languages));

// A font that loads after the first paint would shift every line. If it fails to load, fallback
// fonts are used.
const fontLoaded = document.fonts.load('1em "Inter Variable"').catch(() => undefined);

const firstState = readFirstState(document);
if (firstState.firstSteps === 'due') void loadFirstRun();

const bridge = connectBridge();
const screen = persistScreen(sessionStorage);
const app = createAppContext({
  bridge,
  capture: connectCaptureController(bridge),
  now: () => performance.now(),
  pace: { nextFrame, nextTick: onFrameTick },
  initialState: {
    ...screen.restored,
    pageStyle: pageStyle.restored,
    ...firstState,
    recovery: readRecoveryNote(location, history),
    window: windowOf(new URLSearchParams(location.search).get('window')),
  },
});
screen.follow(app.store);
// Both windows can be open; only one plays chimes.
if (app.store.getState().window === 'main') playQueueChimes(app.store, playChime);
pageStyle.follow(app.store);
// Sends settings that were typed just before the page closes.
window.addEventListener('beforeunload', app.actions.setup.flushAll);
window.addEventListener('online', () => void app.actions.reconnectNow());
void show(root);

/** The host names the window in the address; a browser has only the main one. */
function windowOf(name: string | null): UiState['window'] {
  return name === 'mini' || name === 'cursor' || name === 'region' ? name : 'main';
}

/** Not a top-level await, because lazily loaded modules would wait for this file. */
async function show(container: Element): Promise<void> {
  const [i18nInstance] = await Promise.all([i18nLoaded, fontLoaded]);
  createRoot(container).render(
    <StrictMode>
      <ParleyPage app={app} i18nInstance={i18nInstance} />
    </StrictMode>,
  );
}
