import '@fontsource-variable/inter/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectBridge } from './bridge/connect.ts';
import { connectEye } from './camera/connect-eye.ts';
import { applyLook, languageOf } from './shell/apply-look.ts';
import { keepLook } from './shell/keep-look.ts';
import { keepPlace } from './shell/keep-place.ts';
import { ParleyPage } from './shell/parley-page.tsx';
import { joinBridge } from './store/join-bridge.ts';
import './style/tokens.css';
import './style/base.css';
import { openWords } from './words/open-words.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');

// Before anything is painted.
const look = keepLook(localStorage);
applyLook(look.before, document.documentElement);

const bridge = connectBridge();
const place = keepPlace(sessionStorage);
const desk = joinBridge({
  bridge,
  eye: connectEye(bridge),
  now: () => performance.now(),
  first: {
    ...place.before,
    look: look.before,
    window: new URLSearchParams(location.search).get('window') === 'mini' ? 'mini' : 'main',
  },
});
place.follow(desk.store);
look.follow(desk.store);
const language = languageOf(look.before.appearance, navigator.languages);
createRoot(root).render(
  <StrictMode>
    <ParleyPage desk={desk} words={openWords(language)} />
  </StrictMode>,
);
