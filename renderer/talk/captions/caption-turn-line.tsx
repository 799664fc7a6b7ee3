import { memo } from 'react';
import { useUiState } from '../../store/use-app-context.ts';
import { captionPartsOf } from './caption-parts.ts';
import { CaptionText } from './caption-text.tsx';

/** One turn; a new word renders its line and no other. */
export const CaptionTurnLine = memo(({ index }: { readonly index: number }) => {
  const turn = useUiState(({ captions }) => captions[index]);
  if (turn === undefined) return null;
  return (
    <p className="caption" dir="auto" data-settled={turn.settled}>
      <CaptionText {...captionPartsOf(turn)} />
    </p>
  );
});
CaptionTurnLine.displayName = 'CaptionTurnLine';
