import type { UiohookKeyboardEvent } from 'uiohook-napi';
import { describeError, errorCode } from '../../../shared/harmless-text.ts';
import type { KeyHelperMessage } from '../../../shared/ports/desktop.ts';
import { ChordWatch, codeOfUiohookKey } from './uiohook-codes.ts';

// A program of its own, started by the desktop host with the chord as its only argument. It sees every key
// of the person, so it keeps nothing, writes nothing, and says nothing but that its chord went down or up.

const watch = new ChordWatch(process.argv.at(-1) ?? '');

function tell(message: KeyHelperMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has none
  process.parentPort.postMessage(message);
}

let holding: NodeJS.Timeout | undefined;

/** While the key is down it is said that it still is, so that one who waits for its end knows of ours. */
function tellKey(event: 'press' | 'release' | undefined): void {
  if (event === undefined) return;
  clearInterval(holding);
  tell({ kind: 'key', event });
  if (event === 'release') return;
  holding = setInterval(() => {
    tell({ kind: 'key', event: 'held' });
  }, 300);
}

function codeOf(event: UiohookKeyboardEvent): string {
  return codeOfUiohookKey(event.keycode) ?? '';
}

try {
  // Loaded here, because a system may lack the libraries that it is linked with.
  const { uIOhook } = await import('uiohook-napi');
  uIOhook.on('keydown', (event) => {
    const { ctrlKey, altKey, shiftKey, metaKey } = event;
    tellKey(watch.keyDown({ code: codeOf(event), ctrlKey, altKey, shiftKey, metaKey }));
  });
  uIOhook.on('keyup', (event) => {
    tellKey(watch.keyUp(codeOf(event)));
  });
  uIOhook.start();
  tell({ kind: 'ready' });
} catch (error) {
  tell({ kind: 'failed', code: errorCode(error), reason: describeError(error) });
}
