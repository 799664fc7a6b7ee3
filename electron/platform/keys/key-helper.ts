import type { UiohookKeyboardEvent } from 'uiohook-napi';
import { describeError, errorCode } from '../../../shared/harmless-text.ts';
import type { KeyHelperMessage } from '../../../shared/ports/desktop.ts';
import { ChordWatch, codeOfUiohookKey } from './uiohook-codes.ts';

// The key helper process, which the desktop host starts with the chord as its last argument. It sees every key
// press, so it stores and writes nothing, and reports only its chord.

const watch = new ChordWatch(process.argv.at(-1) ?? '');

function tell(message: KeyHelperMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has none
  process.parentPort.postMessage(message);
}

let holding: NodeJS.Timeout | undefined;

/** Repeats `held` while the key is down, so the parent notices if this process dies. */
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
  // Imported here, because the system may lack libraries that it links with.
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
