import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useUiState } from '../../store/use-app-context.ts';
import { rowPartsOf } from './caption-rows.ts';
import type { CaptionRow } from './caption-rows.ts';
import { CaptionText } from './caption-text.tsx';

type Props = Pick<CaptionRow, 'index' | 'from' | 'to'>;

/** One turn, or a part of a very long one; a new word renders its line and no other turn's. */
export const CaptionTurnLine = memo(({ index, from, to }: Props) => {
  const turn = useUiState(({ captions }) => captions[index]);
  const { t } = useTranslation();
  if (turn === undefined) return null;
  const line = (
    <p
      className="caption"
      dir="auto"
      data-settled={turn.settled}
      data-turn={turn.turn}
      data-from={from}
    >
      <CaptionText {...rowPartsOf(turn, { from, to })} />
    </p>
  );
  if (turn.anew !== true || from > 0) return line;
  return (
    <>
      <p className="caption-anew">{t('talk.captions.anew')}</p>
      {line}
    </>
  );
});
CaptionTurnLine.displayName = 'CaptionTurnLine';
