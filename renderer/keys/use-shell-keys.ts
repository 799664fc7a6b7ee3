import { type AppContext, useAppContext } from '../app/app-context.ts';
import { selectWindowKeys } from '../app/page-style.ts';
import { screenNames } from '../app/ui-state.ts';
import {
  isWindowKey,
  isWriting,
  overlaySelector,
  searchSelector,
  useWindowKeydown,
} from './window-keys.ts';

/** Handles keys that work on every screen: palette, inspector, shortcut list and standard shortcuts. */
export function useShellKeys(): void {
  const app = useAppContext();
  useWindowKeydown((event) => {
    // The talk key has priority.
    if (event.defaultPrevented) return;
    const name = shellKeys.find((each) => isShellKey(each, event, app));
    const toggle = name === undefined ? standardKey(event, app) : toggleFor(name, app);
    if (toggle === undefined) return;
    event.preventDefault();
    if (!event.repeat) toggle();
  });
}

const shellKeys = ['palette', 'inspector', 'shortcuts'] as const;
type ShellKeyName = (typeof shellKeys)[number];

function isShellKey(name: ShellKeyName, event: KeyboardEvent, { store }: AppContext): boolean {
  if (event.isComposing || !isWindowKey(selectWindowKeys(store.getState()), name, event))
    return false;
  // Typing a question mark must not open the list.
  return !isWriting(event);
}

function toggleFor(name: ShellKeyName, { store, actions }: AppContext): (() => void) | undefined {
  const { paletteOpen, inspectorOpen, shortcutsOpen } = store.getState();
  if (name === 'palette') return () => actions.setPalette(!paletteOpen);
  if (name === 'inspector') return () => actions.setInspector(!inspectorOpen);
  const isCovered =
    document.querySelector(overlaySelector) !== null && !shortcutsOpen && !paletteOpen;
  if (isCovered) return undefined;
  return () => actions.setShortcuts(!shortcutsOpen);
}

/** Standard shortcuts. A browser keeps some of them for itself. */
function standardKey(event: KeyboardEvent, { actions }: AppContext): (() => void) | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey, key, isComposing } = event;
  if (isComposing || altKey || shiftKey || ctrlKey === metaKey) return undefined;
  if (document.querySelector(overlaySelector) !== null) return undefined;
  switch (key.toLowerCase()) {
    case 'n':
      return () => void actions.beginChat();
    case ',':
      return () => actions.go('settings');
    case 'f': {
      const field = document.querySelector<HTMLInputElement>(searchSelector);
      if (field === null) return undefined;
      return () => {
        field.focus();
        field.select();
      };
    }
    default: {
      const screen = screenNames[Number(key) - 1];
      if (screen === undefined) return undefined;
      return () => actions.go(screen);
    }
  }
}
