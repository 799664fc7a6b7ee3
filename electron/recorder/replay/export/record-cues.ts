import type { TalkRecord } from '../../../../shared/history/talk-record.ts';
import type { Cue } from '../../../conversation/captions/caption-cue.ts';
import { CaptionWords } from '../../../conversation/captions/caption-words.ts';

/** How long a letter of an alphabet takes to say. */
const msPerWeight = 65;

/** Captions of a talk whose text alone is kept: it knows when a turn began, and how fast people speak is known. */
export function cuesOfRecord(record: TalkRecord | undefined): readonly Cue[] {
  const answers = record?.turns.filter(({ by }) => by === 'parley') ?? [];
  return answers.flatMap(({ at, text, cutFrom }, index) => {
    const split = new CaptionWords();
    split.add(text.slice(0, cutFrom));
    const all = split.list.reduce((sum, { weight }) => sum + weight, 0);
    // It was over before the next one began.
    const room = (answers[index + 1]?.at ?? Infinity) - at;
    const each = Math.min(msPerWeight, room / Math.max(1, all));
    let start = at;
    const words = split.list.map(({ text: word, weight }) => {
      const from = start;
      start += weight * each;
      return { text: word, start: from, end: start };
    });
    return words.length > 0 ? [{ turn: index + 1, words }] : [];
  });
}
