import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import { captionPartsOf } from '../talk/captions/caption-parts.ts';
import type { CaptionParts } from '../talk/captions/caption-parts.ts';

/** Two lines of the mini window; a letter of Chinese is as wide as two of Latin. */
const maxColumns = 84;
const sentenceEnd = /[.!?。！？…]["'”’）)]*\s*$/u;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Of a turn, the two lines that are being said: they stand until the next two begin, as subtitles do. */
export function visibleCue(turn: CaptionedTurn): CaptionParts {
  const { heard, coming, cut } = captionPartsOf(turn);
  const text = heard + coming + cut;
  // Where everything was heard, the last words stay.
  const at = Math.min(heard.length, Math.max(0, text.length - 1));
  const starts = visibleCueStarts(text);
  const from = starts.findLast((start) => start <= at) ?? 0;
  const to = starts.find((start) => start > at) ?? text.length;
  const within = (start: number, part: string): string =>
    part.slice(Math.max(0, from - start), Math.max(0, to - start));
  return {
    heard: within(0, heard),
    coming: within(heard.length, coming),
    cut: within(heard.length + coming.length, cut),
  };
}

/** Where each cue begins: after a sentence where that leaves it half full, else between words. */
export function visibleCueStarts(text: string): readonly number[] {
  const starts = [0];
  let columns = 0;
  let from = 0;
  let sentence = 0;
  let word = 0;
  for (const { segment, index } of wordSegmenter.segment(text)) {
    const wide = columnsOf(segment);
    if (columns + columnsOf(segment.trimEnd()) > maxColumns && index > from) {
      const halfFull = columnsOf(text.slice(from, sentence)) > maxColumns / 2;
      const next = halfFull ? sentence : Math.max(word, from + 1);
      starts.push(next);
      from = next;
      columns = columnsOf(text.slice(next, index));
    }
    columns += wide;
    const end = index + segment.length;
    word = end;
    if (sentenceEnd.test(text.slice(from, end))) sentence = end;
  }
  return starts;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text)
    columns += /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(letter)
      ? 2
      : 1;
  return columns;
}
