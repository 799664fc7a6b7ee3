import type { UiohookKeyboardEvent } from 'uiohook-napi';
import { describeError, errorCode } from '../../../shared/errors/app-error.ts';
import type { KeyHelperMessage } from '../../../shared/ports/desktop.ts';
import { ChordWatch } from './chord-watch.ts';
import { uiohookKeyToCode } from './uiohook-codes.ts';

// The key helper process, which the desktop host starts with the chords to watch as the last argument. It sees
// every key press, so it stores and writes nothing, and reports only these chords.

const watch = new ChordWatch((process.argv.at(-1) ?? '').split(','));

function postToParent(message: KeyHelperMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has none
  process.parentPort.postMessage(message);
}

const heldTimers = new Map<number, NodeJS.Timeout>();

/** Repeats `held` while the key is down, so the parent notices if this process dies. */
function reportPress(key: number): void {
  postToParent({ kind: 'key', key, event: 'press' });
  const timer = setInterval(() => postToParent({ kind: 'key', key, event: 'held' }), 300);
  heldTimers.set(key, timer);
}

function reportRelease(key: number): void {
  clearInterval(heldTimers.get(key));
  postToParent({ kind: 'key', key, event: 'release' });
}

function keyCode(event: UiohookKeyboardEvent): string {
  return uiohookKeyToCode(event.keycode) ?? '';
}

try {
  // Imported here, because the system may lack libraries that it links with.
  const { uIOhook } = await import('uiohook-napi');
  uIOhook.on('keydown', (event) => {
    const { ctrlKey, altKey, shiftKey, metaKey } = event;
    const key = watch.keyDown({ code: keyCode(event), ctrlKey, altKey, shiftKey, metaKey });
    if (key !== undefined) reportPress(key);
  });
  uIOhook.on('keyup', (event) => {
    for (const key of watch.keyUp(keyCode(event))) reportRelease(key);
  });
  uIOhook.start();
  postToParent({ kind: 'ready' });
} catch (error) {
  postToParent({ kind: 'failed', code: errorCode(error), reason: describeError(error) });
}
