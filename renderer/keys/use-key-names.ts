import { useTranslation } from 'react-i18next';
import type { WindowKeyName } from '../../shared/settings/key-settings.ts';
import { talkKeyOf, windowKeysOf } from '../app/page-style.ts';
import { useUiState } from '../app/use-app-context.ts';
import { keyName, windowKeySigns } from './window-keys.ts';

/** Display name of the talk key. */
export function useTalkKeyName(): string {
  const { t } = useTranslation();
  const key = useUiState(talkKeyOf);
  return keyName(key, t('keys', { returnObjects: true }));
}

/** Label of the first key; undefined if none is set. */
export function useWindowKeySign(name: WindowKeyName): string | undefined {
  const { t } = useTranslation();
  const keys = useUiState(windowKeysOf);
  return windowKeySigns(keys, name, t('keys', { returnObjects: true }), navigator.platform)[0];
}
