import { useTranslation } from 'react-i18next';
import type { WindowKeyName } from '../../shared/settings/key-settings.ts';
import { selectTalkKey, selectWindowKeys } from '../app/page-style.ts';
import { useUiState } from '../app/use-app-context.ts';
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
