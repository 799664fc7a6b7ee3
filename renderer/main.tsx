import '@fontsource-variable/inter/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectBridge } from './bridge/connect.ts';
import { connectEye } from './camera/connect-eye.ts';
import { keepPlace } from './shell/keep-place.ts';
import { ParleyPage } from './shell/parley-page.tsx';
import { joinBridge } from './store/join-bridge.ts';
import './style/tokens.css';
import './style/base.css';
import { playChime } from './talk/chime.ts';
import { ringChimes } from './talk/ring-chimes.ts';
import { chooseLanguage } from './words/choose-language.ts';
import { openWords } from './words/open-words.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');

const bridge = connectBridge();
const place = keepPlace(sessionStorage);
const desk = joinBridge({
  bridge,
  eye: connectEye(bridge),
  now: () => performance.now(),
  first: {
    place: place.before,
    window: new URLSearchParams(location.search).get('window') === 'mini' ? 'mini' : 'main',
  },
});
place.follow(desk.store);
// Both windows may stand open; one of them is enough.
if (desk.store.view().window === 'main') ringChimes(desk.store, playChime);
createRoot(root).render(
  <StrictMode>
    <ParleyPage desk={desk} words={openWords(chooseLanguage(navigator.languages))} />
  </StrictMode>,
);
