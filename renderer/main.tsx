import '@fontsource-variable/inter/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectBridge } from './bridge/connect.ts';
import { connectEye } from './camera/connect-eye.ts';
import { applyLook, languageOf } from './shell/apply-look.ts';
import { keepLook } from './shell/keep-look.ts';
import { keepPlace } from './shell/keep-place.ts';
import { loadFirstRun } from './shell/load-first-run.ts';
import { ParleyPage } from './shell/parley-page.tsx';
import { readFirstSteps } from './store/first-steps.ts';
import { joinBridge } from './store/join-bridge.ts';
import './style/tokens.css';
import './style/base.css';
import { playChime } from './talk/chime.ts';
import { ringChimes } from './talk/ring-chimes.ts';
import { openWords } from './words/open-words.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');

// Before anything is painted.
const look = keepLook(localStorage);
applyLook(look.before, document.documentElement);

const firstSteps = readFirstSteps(document);
// Under way while the rest is drawn.
if (firstSteps === 'due') void loadFirstRun();

const bridge = connectBridge();
const place = keepPlace(sessionStorage);
const desk = joinBridge({
  bridge,
  eye: connectEye(bridge),
  now: () => performance.now(),
  first: {
    ...place.before,
    look: look.before,
    firstSteps,
    window: new URLSearchParams(location.search).get('window') === 'mini' ? 'mini' : 'main',
  },
});
place.follow(desk.store);
// Both windows may stand open; one of them is enough.
if (desk.store.view().window === 'main') ringChimes(desk.store, playChime);
look.follow(desk.store);
// What was typed a moment before the page goes is sent with it.
window.addEventListener('beforeunload', desk.actions.setup.leaveAll);
const language = languageOf(look.before.appearance, navigator.languages);
createRoot(root).render(
  <StrictMode>
    <ParleyPage desk={desk} words={openWords(language)} />
  </StrictMode>,
);
