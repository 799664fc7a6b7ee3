import { persistScreen, readFirstState, readRecoveryNote } from './app/initial-page-state.ts';
import { loadFirstRun, ParleyPage } from './app/shell.tsx';
import { openPage } from './app/open-page.tsx';
import { playChime, playQueueChimes } from './talk/queue-chime.ts';

// The main window and the mini window; `small.tsx` opens the others.

const firstState = readFirstState(document);
if (firstState.firstSteps === 'due') void loadFirstRun();

const screen = persistScreen(sessionStorage);
const { app, show } = openPage({
  ...screen.restored,
  ...firstState,
  recovery: readRecoveryNote(location, history),
  // The host names the window in the address; a browser has only the main one.
  window: new URLSearchParams(location.search).get('window') === 'mini' ? 'mini' : 'main',
});
screen.follow(app.store);
// Both windows can be open; only one plays chimes.
if (app.store.getState().window === 'main') playQueueChimes(app.store, playChime);
// Sends settings that were typed just before the page closes.
window.addEventListener('beforeunload', app.actions.setup.flushAll);
window.addEventListener('online', () => void app.actions.reconnectNow());
void show(<ParleyPage />);
