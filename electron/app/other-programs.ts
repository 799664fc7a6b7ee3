import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type {
  ClipboardContent,
  ForeignClipboard,
  OtherPrograms,
} from '../../shared/ports/other-programs.ts';
import { pasteWay, terminalText } from '../cursor/paste-key.ts';
import { pressXKeys } from '../platform/x11/x-keys.ts';
import { maxPasteBytes, offerXText } from '../platform/x11/x-paste.ts';
import { activeXWindow, focusXWindow } from '../platform/x11/x-windows.ts';
import { canObserveKeys, type KeySystem } from '../platform/system/linux-desktop-session.ts';

export interface OtherProgramsDeps {
  readonly clipboard: ForeignClipboard;
  readonly system: KeySystem;
}

/** The programs beside Parley, through X11. Elsewhere a text can only be copied. */
export function createOtherPrograms(deps: OtherProgramsDeps): OtherPrograms {
  const { clipboard, system } = deps;
  const isX11 = system.platform === 'linux' && canObserveKeys(system);
  const programs: OtherPrograms = {
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
    insert: async (text, window) => {
      if (!isX11 || window === undefined) return copyInstead(text, 'cursorTargetUnknown');
      const focused = await programs.focus(window);
      if (!focused.ok) return copyInstead(text, 'cursorTargetGone');
      const putBack = await clipboard.remember();
      const way = pasteWay(window.program);
      const pasted = way.isTerminal ? terminalText(text) : text;
      if (Buffer.byteLength(pasted) > maxPasteBytes) return copyInstead(text, 'cursorTextLong');
      const taken = await offerXText(
        system.environment,
        pasted,
        way.fromSelection ? ['CLIPBOARD', 'PRIMARY'] : ['CLIPBOARD'],
        () => pressXKeys(system.environment, way.chord),
      );
      if (!taken) return copyInstead(text, 'cursorKeysFailed');
      await putBack();
      return done;
    },
  };
  const copyInstead = async (
    text: string,
    code: 'cursorTargetGone' | 'cursorTargetUnknown' | 'cursorTextLong' | 'cursorKeysFailed',
  ): Promise<Outcome<undefined>> => {
    await clipboard.write(text);
    return failure(code);
  };
  return programs;
}

async function readClipboard(clipboard: ForeignClipboard): Promise<ClipboardContent> {
  const { text, cut } = await clipboard.text();
  if (text !== '') return { kind: 'text', text, cut };
  const picture = await clipboard.picture();
  return picture === undefined ? { kind: 'empty' } : { kind: 'picture', file: picture };
}
