import { useTranslation } from 'react-i18next';
import type { WindowKeyName } from '../../shared/settings/key-settings.ts';
import { windowKeysOf } from '../store/page-style.ts';
import { useUiState } from '../store/use-app-context.ts';
import { windowKeySigns } from './window-keys.ts';

/** What is pressed for it, as it is set now; nothing where no key does it. */
export function useWindowKeySign(name: WindowKeyName): string | undefined {
  const { t } = useTranslation();
  const keys = useUiState(windowKeysOf);
  return windowKeySigns(keys, name, t('keys', { returnObjects: true }), navigator.platform)[0];
}
