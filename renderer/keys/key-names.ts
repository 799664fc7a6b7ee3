import { useTranslation } from 'react-i18next';
import { fillMessage } from '../../shared/i18n/messages.ts';
import {
  actionKeyOwner,
  isCursorKey,
  isWindowOwner,
  type KeyOwner,
} from '../../shared/settings/key-owners.ts';
import type { WindowKeyName } from '../../shared/settings/app-settings.ts';
import { type KeyStroke, pressedModifiers } from '../../shared/talk/global-key.ts';
import { useUiState } from '../app/app-context.ts';
import { selectTalkKey, selectWindowKeys } from '../app/page-style.ts';
import { useActionName } from '../cursor/action-icons.ts';
import { getMessages } from '../i18n/page-language.ts';
import { keyName, windowKeyLabels } from './window-keys.ts';

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
export function useKeyConflictText(): (chord: string, owners: readonly KeyOwner[]) => string {
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
  return (chord, owners) =>
    t('settings.keys.taken', {
      key: keyName(chord, t('keys', { returnObjects: true })),
      others: owners.map(ownerName).join(t('settings.assistant.and')),
    });
}

/** Why a key cannot be assigned. */
type KeyFault = 'empty' | 'navigation' | 'activation' | 'system' | 'typing';

const navigationKeys = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);
/** Browsers and windows reserve these with Control. */
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

/** Also rejects typing keys: a global one would open the microphone while the user types in other programs. */
export function globalKeyFault(stroke: KeyStroke): KeyFault | undefined {
  const modifiers = pressedModifiers(stroke);
  const isUnmodified = modifiers.every((modifier) => modifier === 'Shift');
  return keyFault(stroke) ?? (isUnmodified && typingKeys.test(stroke.code) ? 'typing' : undefined);
}

const typingKeys =
  /^(Key.|Digit.|Numpad.+|Space|Backspace|Delete|Home|End|PageUp|PageDown|Insert|Minus|Equal|Bracket.+|Backslash|Semicolon|Quote|Backquote|Comma|Period|Slash|Intl.+|Shift.+|CapsLock|Escape)$/;
