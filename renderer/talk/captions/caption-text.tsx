import { useTranslation } from 'react-i18next';
import type { CaptionParts } from './caption-parts.ts';

/** What was heard in full ink, what is to come fainter, what was cut struck out. */
export function CaptionText({ heard, coming, cut }: CaptionParts) {
  const { t } = useTranslation();
  return (
    <>
      {heard}
      {coming !== '' && <span className="caption-coming">{coming}</span>}
      {cut !== '' && (
        <>
          <span className="only-heard"> ({t('talk.captions.cut')}) </span>
          <s className="caption-cut">{cut}</s>
        </>
      )}
    </>
  );
}
