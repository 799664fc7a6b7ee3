import { memo } from 'react';
import { useView } from '../store/use-desk.ts';
import { partsOf } from './caption-parts.ts';
import { CaptionWords } from './caption-words.tsx';

/** One turn; whoever is told a word renders its line and no other. */
export const CaptionLine = memo(({ index }: { readonly index: number }) => {
  const turn = useView(({ captions }) => captions[index]);
  if (turn === undefined) return null;
  return (
    <p className="caption" dir="auto" data-settled={turn.settled}>
      <CaptionWords {...partsOf(turn)} />
    </p>
  );
});
CaptionLine.displayName = 'CaptionLine';
