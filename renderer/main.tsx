import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connectBridge } from './bridge/connect.ts';
import { ReadyScreen } from './screens/ready-screen.tsx';
import { createStore } from './store.ts';
import './style/tokens.css';
import './style/base.css';
import { wordsFor } from './words/choose-words.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');

const words = wordsFor(navigator.languages);
document.documentElement.lang = words.language;
createRoot(root).render(
  <StrictMode>
    <ReadyScreen store={createStore(connectBridge())} words={words} />
  </StrictMode>,
);
