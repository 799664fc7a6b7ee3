import { useTranslation } from 'react-i18next';
import {
  actionKeyOwner,
  isCursorKey,
  isWindowOwner,
  type KeyOwner,
} from '../../shared/settings/key-owners.ts';
import type { WindowKeyName } from '../../shared/settings/key-settings.ts';
import { fillMessage } from '../../shared/i18n/messages.ts';
import { selectTalkKey, selectWindowKeys } from '../app/page-style.ts';
import { useUiState } from '../app/use-app-context.ts';
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
