import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { fillMessage } from '../../shared/i18n/messages.ts';
import type { KeySettings, WindowKeyName } from '../../shared/settings/app-settings.ts';
import {
  actionKeyOwner,
  isCursorKey,
  isWindowOwner,
  type KeyOwner,
} from '../../shared/settings/key-owners.ts';
import {
  isChordPressed,
  type KeyStroke,
  parseChord,
  pressedModifiers,
} from '../../shared/talk/global-key.ts';
import { useUiState } from '../app/app-context.ts';
import { selectTalkKey, selectWindowKeys } from '../app/page-style.ts';
import { useActionName } from '../cursor/action-icons.ts';
import { getMessages } from '../i18n/page-language.ts';

/** A key press with the character it types. */
export interface PrintedStroke extends KeyStroke {
  readonly key: string;
}

interface DefaultKey {
  readonly matches: (stroke: PrintedStroke) => boolean;
  /** Labels for this platform; any of the keys works. */
  readonly labels: (platform: string) => readonly string[];
}

/** With Control or Command. Matches the typed character, so it works in every keyboard layout. */
function withCommand(character: string, shift = false): DefaultKey {
  return {
    matches: ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
      (ctrlKey || metaKey) && !altKey && shiftKey === shift && key.toLowerCase() === character,
    labels: (platform) => [
      withCommandKey(platform, `${shift ? 'Shift + ' : ''}${character.toUpperCase()}`),
    ],
  };
}

function isBare({ ctrlKey, metaKey, altKey }: KeyStroke): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

const noKey: DefaultKey = { matches: () => false, labels: () => [] };

const defaults: Readonly<Record<WindowKeyName, DefaultKey>> = {
  interrupt: {
    matches: (stroke) => stroke.key === 'Escape' && isBare(stroke),
    labels: () => ['Esc'],
  },
  mute: withCommand('m', true),
  cough: noKey,
  pause: noKey,
  end: noKey,
  keepRecent: noKey,
  doRequest: noKey,
  palette: withCommand('k'),
  inspector: withCommand('i'),
  // F1 also works in text fields.
  shortcuts: {
    matches: (stroke) => (stroke.key === '?' || stroke.key === 'F1') && isBare(stroke),
    labels: () => ['?', 'F1'],
  },
};

export function isWindowKey(
  keys: KeySettings,
  name: WindowKeyName,
  stroke: PrintedStroke,
): boolean {
  const set = keys[name];
  return set === 'default'
    ? defaults[name].matches(stroke)
    : isChordPressed(parseChord(set), stroke);
}

export function withCommandKey(platform: string, key: string): string {
  return `${/mac/i.test(platform) ? '⌘' : 'Ctrl'} + ${key}`;
}

/** Labels of the keys; empty if none is set. */
export function windowKeyLabels(
  keys: KeySettings,
  name: WindowKeyName,
  names: KeyNames,
  platform: string,
): readonly string[] {
  const set = keys[name];
  if (set === 'default') return defaults[name].labels(platform);
  return set === 'none' ? [] : [keyName(set, names)];
}

/** Names of keys without a printed character. */
type KeyNames = Readonly<Record<'Space' | 'Control' | 'Alt' | 'Shift' | 'Meta', string>> & {
  /** Templates for keys on the left, the right and the number pad. */
  readonly left: string;
  readonly right: string;
  readonly numpad: string;
  readonly none: string;
};

export function keyName(text: string, names: KeyNames): string {
  if (text === 'none') return names.none;
  const { code, modifiers } = parseChord(text);
  return [...[...modifiers].map((modifier) => names[modifier]), codeName(code, names)].join(' + ');
}

function codeName(code: string, names: KeyNames): string {
  if (code === 'Space') return names.Space;
  const [, character] = /^(?:Key|Digit)(.)$/.exec(code) ?? [];
  if (character !== undefined) return character;
  const [, modifier, side] = /^(Control|Alt|Shift|Meta)(Left|Right)$/.exec(code) ?? [];
  if (modifier !== undefined) {
    const name = names[modifier as 'Control'];
    return (side === 'Left' ? names.left : names.right).replace('%', name);
  }
  const [, onPad] = /^Numpad(.+)$/.exec(code) ?? [];
  return onPad === undefined ? code : names.numpad.replace('%', onPad);
}

/** Elements that take typed text. */
export const textInputSelector = 'input, textarea, select, [contenteditable="true"]';

/** Elements that Space and Enter activate. */
export const pressableSelector = 'button, a, summary, [role="button"]';

/** Whether the key types into a text field. */
export function isWriting({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const typesCharacter = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  return typesCharacter && target instanceof Element && target.closest(textInputSelector) !== null;
}

/** Elements over the page that take the keys. */
export const overlaySelector = '[role="menu"], [role="dialog"]';

/** The search field of a screen. */
export const searchSelector = '.search-field input';

/** Listens on the window while the component is mounted. A new `onKeydown` keeps its place among other listeners. */
export function useWindowKeydown(
  onKeydown: (event: KeyboardEvent) => void,
  { capture = false } = {},
): void {
  const onLatestKeydown = useEffectEvent(onKeydown);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => onLatestKeydown(event);
    window.addEventListener('keydown', onKeyDown, { capture });
    return () => window.removeEventListener('keydown', onKeyDown, { capture });
  }, [capture]);
}

/** A button that acts while it is held. It is released even if it disappears meanwhile, as when the talk reconnects. */
export class HeldButton {
  readonly #window: Pick<EventTarget, 'addEventListener'>;
  readonly #onKey: (key: 'press' | 'release' | 'lost') => void;
  #listening: AbortController | undefined;

  constructor(
    window: Pick<EventTarget, 'addEventListener'>,
    onKey: (key: 'press' | 'release' | 'lost') => void,
  ) {
    this.#window = window;
    this.#onKey = onKey;
  }

  /** @param pointer the finger or mouse that holds the button; undefined for a key */
  press(pointer?: number): void {
    if (this.#listening !== undefined) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const listen = (name: string, key: 'release' | 'lost'): void =>
      this.#window.addEventListener(
        name,
        (event) => {
          if (!('pointerId' in event) || event.pointerId === pointer) this.end(key);
        },
        { signal },
      );
    listen(pointer === undefined ? 'keyup' : 'pointerup', 'release');
    listen('pointercancel', 'lost');
    listen('blur', 'lost');
    this.#onKey('press');
  }

  end(key: 'release' | 'lost'): void {
    if (this.#listening === undefined) return;
    this.#listening.abort();
    this.#listening = undefined;
    this.#onKey(key);
  }
}

export function useTalkKeyName(): string {
  const { t } = useTranslation();
  const key = useUiState(selectTalkKey);
  return keyName(key, t('keys', { returnObjects: true }));
}

/** Label of the first key; undefined if none is set. */
export function useWindowKeyLabel(name: WindowKeyName): string | undefined {
  const { t } = useTranslation();
  const keys = useUiState(selectWindowKeys);
  return windowKeyLabels(keys, name, t('keys', { returnObjects: true }), navigator.platform)[0];
}

/** Says which functions already use a key. */
export function useKeyConflictText(): (
  chord: string,
  owners: readonly KeyOwner[],
  label?: string,
) => string {
  const { t, i18n } = useTranslation();
  const actions = useUiState(({ settings }) => settings?.cursor.actions);
  const nameOf = useActionName();
  const { rows, keys } = getMessages(i18n).settings;
  const ownerName = (owner: KeyOwner): string => {
    if (owner === 'talk' || owner === 'global') return keys.owners[owner];
    if (isCursorKey(owner)) return rows.cursor[owner].name;
    if (isWindowOwner(owner)) return rows.keys[owner].name;
    const action = actions?.find((each) => actionKeyOwner(each) === owner);
    return fillMessage(keys.owners.action, { name: action === undefined ? '' : nameOf(action) });
  };
  return (chord, owners, label = keyName(chord, t('keys', { returnObjects: true }))) =>
    t('settings.keys.taken', {
      key: label,
      others: owners.map(ownerName).join(t('settings.assistant.and')),
    });
}

/** Why a key cannot be assigned. */
type KeyFault = 'empty' | 'navigation' | 'activation' | 'system' | 'typing';

const navigationKeys = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** Keys that browsers and windows reserve together with Control. */
const controlReserved = new Set(['KeyW', 'KeyT', 'KeyN', 'KeyQ', 'KeyR', 'KeyL']);
const systemKeys = new Set(['F5', 'F11', 'F12', 'PrintScreen', 'Power', 'Sleep', 'ContextMenu']);

/** Rejects keys with a standard meaning, and keys that the system intercepts. */
export function keyFault(stroke: KeyStroke): KeyFault | undefined {
  const { code } = stroke;
  const modifiers = pressedModifiers(stroke);
  if (code === '' || code === 'Unidentified') return 'empty';
  if (navigationKeys.has(code)) return 'navigation';
  if (code === 'Enter' || code === 'NumpadEnter') return 'activation';
  if (modifiers.includes('Meta') || code.startsWith('Meta') || code.startsWith('OS'))
    return 'system';
  if (systemKeys.has(code) || (code === 'F4' && modifiers.includes('Alt'))) return 'system';
  return modifiers.includes('Control') && controlReserved.has(code) ? 'system' : undefined;
}

/** Why a key cannot be global. Typing keys cannot, because a global one would act while the user types in other programs. */
export function globalKeyFault(stroke: KeyStroke): KeyFault | undefined {
  const modifiers = pressedModifiers(stroke);
  const isUnmodified = modifiers.every((modifier) => modifier === 'Shift');
  return keyFault(stroke) ?? (isUnmodified && typingKeys.test(stroke.code) ? 'typing' : undefined);
}

const typingKeys =
  /^(Key.|Digit.|Numpad.+|Space|Backspace|Delete|Home|End|PageUp|PageDown|Insert|Minus|Equal|Bracket.+|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|Intl.+|Shift.+|CapsLock|Escape)$/;
