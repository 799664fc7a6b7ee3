import { Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** That the person spoke, where what they said is not written down. */
export function SpokenLine({ seconds }: { readonly seconds: number }) {
  const { t } = useTranslation();
  return (
    <p className="spoken">
      <Mic strokeWidth={1.75} aria-hidden />
      {t('talk.spoken', { seconds: Math.round(seconds) })}
    </p>
  );
}
