import { useTranslation } from 'react-i18next';
import { talkKeyOf } from '../store/page-style.ts';
import { useUiState } from '../store/use-app-context.ts';
import { keyName } from './key-name.ts';

/** What the talk key is called, as it is set now. */
export function useTalkKeyName(): string {
  const { t } = useTranslation();
  const key = useUiState(talkKeyOf);
  return keyName(key, t('keys', { returnObjects: true }));
}
