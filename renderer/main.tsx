import '@fontsource-variable/inter/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectBridge } from './bridge/connect-bridge.ts';
import { nextFrame } from './bridge/next-frame.ts';
import { connectCaptureController } from './capture/connect-capture-controller.ts';
import { resolveLanguage } from '../shared/i18n/resolve-language.ts';
import { applyPageStyle } from './shell/appearance/apply-page-style.ts';
import { persistPageStyle } from './shell/appearance/persist-page-style.ts';
import { persistScreen } from './shell/persist-screen.ts';
import { loadFirstRun } from './shell/lazy-screen.tsx';
import { ParleyPage } from './shell/parley-page.tsx';
import { readRecoveryNote } from './shell/recovery/read-recovery-note.ts';
import { readFirstSteps } from './store/first-steps.ts';
import { createAppContext } from './store/app-context.ts';
import './style/tokens.css';
import './style/base.css';
import { playChime } from './talk/queue-chime.ts';
import { playQueueChimes } from './talk/play-queue-chimes.ts';
import { createI18n } from './i18n/create-i18n.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');

// Before anything is painted.
const pageStyle = persistPageStyle(localStorage);
applyPageStyle(pageStyle.restored, document.documentElement);
// Its texts come while the rest is made ready.
const { language } = pageStyle.restored.appearance;
const i18nLoaded = createI18n(resolveLanguage(language, navigator.languages));

const firstSteps = readFirstSteps(document);
// Under way while the rest is drawn.
if (firstSteps === 'due') void loadFirstRun();

const bridge = connectBridge();
const screen = persistScreen(sessionStorage);
const app = createAppContext({
  bridge,
  capture: connectCaptureController(bridge),
  now: () => performance.now(),
  nextFrame,
  initialState: {
    ...screen.restored,
    pageStyle: pageStyle.restored,
    firstSteps,
    recovery: readRecoveryNote(location, history),
    window: new URLSearchParams(location.search).get('window') === 'mini' ? 'mini' : 'main',
  },
});
screen.follow(app.store);
// Both windows may stand open; one of them is enough.
if (app.store.getState().window === 'main') playQueueChimes(app.store, playChime);
pageStyle.follow(app.store);
// What was typed a moment before the page goes is sent with it.
window.addEventListener('beforeunload', app.actions.setup.flushAll);
window.addEventListener('online', () => void app.actions.networkBack());
void show(root);

/** Not awaited up here: what is loaded later would have to wait for this file as well. */
async function show(container: Element): Promise<void> {
  const i18nInstance = await i18nLoaded;
  createRoot(container).render(
    <StrictMode>
      <ParleyPage app={app} i18nInstance={i18nInstance} />
    </StrictMode>,
  );
}
