import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useView } from '../store/use-desk.ts';
import { partsOf } from './caption-parts.ts';

/** One turn: what was heard in full ink, what is to come fainter, what was cut struck out. */
export const CaptionLine = memo(({ index }: { readonly index: number }) => {
  const { t } = useTranslation();
  const turn = useView(({ captions }) => captions[index]);
  if (turn === undefined) return null;
  const { heard, coming, cut } = partsOf(turn);
  return (
    <p className="caption" dir="auto" data-settled={turn.settled}>
      {heard}
      {coming !== '' && <span className="caption-coming">{coming}</span>}
      {cut !== '' && (
        <>
          <span className="only-heard"> ({t('talk.captions.cut')}) </span>
          <s className="caption-cut">{cut}</s>
        </>
      )}
    </p>
  );
});
CaptionLine.displayName = 'CaptionLine';
