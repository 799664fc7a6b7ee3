import { useTranslation } from 'react-i18next';
import { talkKeyOf } from '../store/look.ts';
import { useView } from '../store/use-desk.ts';
import { keyName } from './key-name.ts';

/** What the talk key is called, as it is set now. */
export function useTalkKeyName(): string {
  const { t } = useTranslation();
  const key = useView(talkKeyOf);
  return keyName(key, t('keys', { returnObjects: true }));
}
