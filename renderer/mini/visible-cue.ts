import type { CaptionedTurn } from '../../shared/talk/caption-patch.ts';
import {
  type CaptionParts,
  captionPartsOf,
  captionPartsWithin,
} from '../talk/captions/caption-text.tsx';

/** Two lines of the mini window; a letter of Chinese is as wide as two of Latin. */
const maxColumns = 84;
const sentenceEnd = /[.!?。！？…]["'”’）)]*\s*$/u;

/** A mark, what closes after it, and spaces; more of them than this are no end of a sentence. */
const maxSentenceEnd = 24;

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Of a turn, the two lines that are being said: they stand until the next two begin, as subtitles do. */
export type VisibleCue = (turn: CaptionedTurn) => CaptionParts;

/** For turns that grow: where cues begin is not looked for again in what was there before. */
export function createVisibleCue(): VisibleCue {
  let known = { turn: -1, text: '', starts: [0] as readonly number[] };
  return (turn) => {
    const parts = captionPartsOf(turn);
    const { heard, coming, cut } = parts;
    const text = heard + coming + cut;
    if (text !== known.text || turn.turn !== known.turn) {
      const grown = turn.turn === known.turn && text.startsWith(known.text);
      // The last was found in what had no end yet.
      const starts = visibleCueStarts(text, grown ? known.starts.slice(0, -1) : []);
      known = { turn: turn.turn, text, starts };
    }
    const { starts } = known;
    // Where everything was heard, the last words stay.
    const at = Math.min(heard.length, Math.max(0, text.length - 1));
    const from = starts.findLast((start) => start <= at) ?? 0;
    const to = starts.find((start) => start > at) ?? text.length;
    return captionPartsWithin(parts, from, to);
  };
}

/** Where each cue begins: after a sentence where that leaves it half full, else between words. */
export function visibleCueStarts(text: string, known: readonly number[] = []): readonly number[] {
  const begin = known.at(-1) ?? 0;
  const starts = [...known.slice(0, -1), begin];
  let columns = 0;
  let from = begin;
  let sentence = begin;
  let word = begin;
  for (const { segment, index: within } of wordSegmenter.segment(text.slice(begin))) {
    const index = begin + within;
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
    if (sentenceEnd.test(text.slice(Math.max(from, end - maxSentenceEnd), end))) sentence = end;
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
