import type { UiohookKeyboardEvent } from 'uiohook-napi';
import { describeError, errorCode } from '../../../shared/sanitize-text.ts';
import type { KeyHelperMessage } from '../../../shared/ports/desktop.ts';
import { ChordWatch, uiohookKeyToCode } from './uiohook-codes.ts';

// The key helper process, which the desktop host starts with the chord as its last argument. It sees every key
// press, so it stores and writes nothing, and reports only its chord.

const watch = new ChordWatch(process.argv.at(-1) ?? '');

function postToParent(message: KeyHelperMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has none
  process.parentPort.postMessage(message);
}

let heldTimer: NodeJS.Timeout | undefined;

/** Repeats `held` while the key is down, so the parent notices if this process dies. */
function reportKey(event: 'press' | 'release' | undefined): void {
  if (event === undefined) return;
  clearInterval(heldTimer);
  postToParent({ kind: 'key', event });
  if (event === 'release') return;
  heldTimer = setInterval(() => {
    postToParent({ kind: 'key', event: 'held' });
  }, 300);
}

function keyCode(event: UiohookKeyboardEvent): string {
  return uiohookKeyToCode(event.keycode) ?? '';
}

try {
  // Imported here, because the system may lack libraries that it links with.
  const { uIOhook } = await import('uiohook-napi');
  uIOhook.on('keydown', (event) => {
    const { ctrlKey, altKey, shiftKey, metaKey } = event;
    reportKey(watch.keyDown({ code: keyCode(event), ctrlKey, altKey, shiftKey, metaKey }));
  });
  uIOhook.on('keyup', (event) => {
    reportKey(watch.keyUp(keyCode(event)));
  });
  uIOhook.start();
  postToParent({ kind: 'ready' });
} catch (error) {
  postToParent({ kind: 'failed', code: errorCode(error), reason: describeError(error) });
}
