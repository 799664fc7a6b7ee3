import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';

export interface CaptionParts {
  readonly heard: string;
  readonly coming: string;
  readonly cut: string;
}

/** The three ranges of a turn's text; no letter that takes two places is taken apart. */
export function captionPartsOf({
  text,
  heard,
  cutFrom,
}: Pick<CaptionedTurn, 'text' | 'heard' | 'cutFrom'>): CaptionParts {
  const end = whole(text, Math.min(cutFrom ?? text.length, text.length));
  const until = Math.min(whole(text, heard), end);
  // The gap before the first cut word is not struck.
  const cut = text.slice(end).trimStart();
  const coming = text.slice(until, text.length - cut.length);
  return { heard: text.slice(0, until), coming, cut };
}

function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
