import { setTimeout as delay } from 'node:timers/promises';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import type {
  ClipboardContent,
  ForeignClipboard,
  ForeignWindow,
  OtherPrograms,
} from '../../shared/ports/other-programs.ts';
import { pasteMethodOf, terminalText } from '../cursor/cursor-texts.ts';
import { createStateFile } from '../platform/files/state-file.ts';
import { stateFolder } from '../platform/files/state-folder.ts';
import { openPortalKeyboard } from '../platform/keys/portal-keyboard.ts';
import {
  canObserveKeys,
  isWayland,
  type KeySystem,
} from '../platform/system/linux-desktop-session.ts';
import { pressXKeys } from '../platform/x11/x-keys.ts';
import { maxPasteBytes, offerXText } from '../platform/x11/x-paste.ts';
import { activeXWindow, focusXWindow } from '../platform/x11/x-windows.ts';

/** The parts of the system through which Parley reads from other programs and inserts into them. */
export interface OtherProgramsDeps {
  readonly clipboard: ForeignClipboard;
  readonly system: KeySystem;
  /** The token that stands for the user's permission to press keys under Wayland. */
  readonly keyboardToken: Pick<StateFile, 'read' | 'write'>;
  /** Hides the small window, the only way to give the focus back under Wayland. */
  readonly hideOwnWindow: () => void;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** The privacy settings delete this file together with the tokens of servers. */
const keyboardTokenFile = 'keyboard-token';

export function findOtherPrograms(
  parts: Pick<OtherProgramsDeps, 'clipboard' | 'hideOwnWindow'>,
): OtherPrograms {
  return createOtherPrograms({
    ...parts,
    system: { platform: process.platform, environment: process.env },
    keyboardToken: createStateFile(stateFolder(), keyboardTokenFile),
    wait: delay,
  });
}

/** Reads selections from other programs and inserts text into them, through X11 or Wayland's portal. Elsewhere a text can only be copied. */
export function createOtherPrograms(given: OtherProgramsDeps): OtherPrograms {
  const deps = { ...given, clipboard: withoutOwnSelection(given.clipboard) };
  const { clipboard, system } = deps;
  const isX11 = system.platform === 'linux' && canObserveKeys(system);
  /** Texts are inserted one after another: the second would otherwise restore the first one as the user's clipboard. */
  let lastInsertion: Promise<unknown> = Promise.resolve();
  return {
    active: async () => (isX11 ? activeXWindow(system.environment) : undefined),
    selection: async () =>
      system.platform === 'linux' ? clipboard.selectedText() : { text: '', cut: false },
    clipboard: () => readClipboard(clipboard),
    copy: (text) => void clipboard.write(text),
    focus: async ({ id }) => {
      if (!isX11) return done;
      const focused = await focusXWindow(system.environment, id);
      return focused ? done : failure('cursorTargetGone');
    },
    canInsert: (window) => (isX11 ? window !== undefined : isWayland(system)),
    insert: (text, window) => {
      const inserted = lastInsertion.then(() => insertOrCopy(text, window));
      lastInsertion = inserted.catch(() => undefined);
      return inserted;
    },
  };

  async function insertOrCopy(text: string, window: ForeignWindow | undefined) {
    const inserted = await insertThroughDesktop(text, window);
    if (!inserted.ok) await clipboard.write(text);
    return inserted;
  }

  function insertThroughDesktop(text: string, window: ForeignWindow | undefined) {
    if (isX11)
      return window === undefined ? failure('cursorNoTarget') : insertThroughX(deps, text, window);
    if (isWayland(system)) return insertThroughPortal(deps, text);
    return failure('cursorTargetUnknown');
  }
}

async function insertThroughX(
  { clipboard, system: { environment } }: OtherProgramsDeps,
  text: string,
  window: ForeignWindow,
): Promise<Outcome<undefined>> {
  if (!(await focusXWindow(environment, window.id))) return failure('cursorTargetGone');
  const restoreClipboard = await rememberClipboard(clipboard);
  const method = pasteMethodOf(window.program);
  const pasted = method.isTerminal ? terminalText(text) : text;
  if (Buffer.byteLength(pasted) > maxPasteBytes) return failure('cursorTextLong');
  const wasRead = await offerXText(
    environment,
    pasted,
    method.fromSelection ? ['CLIPBOARD', 'PRIMARY'] : ['CLIPBOARD'],
    () => pressXKeys(environment, method.chord),
  );
  if (!wasRead) return failure('cursorKeysFailed');
  await restoreClipboard();
  return done;
}

/** After the small window is hidden, the desktop takes a few frames to focus the window below. */
const focusMs = 200;
/** Under Wayland, Parley cannot see when a program has read the clipboard. A shorter wait could paste the old content. */
const pasteMs = 1000;

async function insertThroughPortal(
  { clipboard, system: { environment }, keyboardToken, hideOwnWindow, wait }: OtherProgramsDeps,
  text: string,
): Promise<Outcome<undefined>> {
  const opened = await openPortalKeyboard(environment, keyboardToken);
  if (!opened.ok) return opened;
  const keyboard = opened.value;
  try {
    const restoreClipboard = await rememberClipboard(clipboard);
    // A program may write the clipboard only while its window has the focus, so the small window hides after this.
    await clipboard.write(text);
    hideOwnWindow();
    await wait(focusMs);
    if (!(await keyboard.paste())) return failure('cursorKeysFailed');
    await wait(pasteMs);
    await restoreClipboard();
    return done;
  } finally {
    await keyboard.end();
  }
}

/**
 * If the clipboard cannot be read, the text is inserted anyway: the fallback, copying the text, would overwrite the
 * clipboard too. If the old content cannot be restored, the insertion still counts as a success.
 */
async function rememberClipboard(
  clipboard: ForeignClipboard,
): ReturnType<ForeignClipboard['remember']> {
  const restore = await clipboard.remember().catch(() => undefined);
  return async () => {
    await restore?.().catch(() => undefined);
  };
}

/**
 * On Linux, Electron makes each text that it puts on the clipboard the selection, too. The user has not selected that
 * text, so it is not read as a selection.
 */
function withoutOwnSelection(clipboard: ForeignClipboard): ForeignClipboard {
  let own = '';
  return {
    ...clipboard,
    selectedText: async () => {
      const selected = await clipboard.selectedText();
      const isOwn = selected.cut ? own.startsWith(selected.text) : selected.text === own;
      if (isOwn) return { text: '', cut: false };
      // The user has selected another text since. If they now select Parley's text themselves, it counts.
      if (selected.text !== '') own = '';
      return selected;
    },
    write: (text) => {
      own = text;
      return clipboard.write(text);
    },
    remember: async () => {
      const [restore, { text }] = await Promise.all([clipboard.remember(), clipboard.text()]);
      return () => {
        own = text;
        return restore();
      };
    },
  };
}

async function readClipboard(clipboard: ForeignClipboard): Promise<ClipboardContent> {
  const { text, cut } = await clipboard.text();
  if (text !== '') return { kind: 'text', text, cut };
  const picture = await clipboard.picture();
  return picture === undefined ? { kind: 'empty' } : { kind: 'picture', file: picture };
}
