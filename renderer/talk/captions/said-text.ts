import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import { captionPartsOf } from './caption-parts.ts';

interface Names {
  readonly you: string;
  readonly parley: string;
}

interface Said {
  readonly captions: readonly CaptionedTurn[];
  readonly phrases: readonly OwnPhrase[];
}

/** All that was said and heard, as text to be put elsewhere: who, and what, a paragraph each. */
export function saidText({ captions, phrases }: Said, names: Names): string {
  const written = phrases.filter(({ text }) => text !== '');
  const own = (from: number, to: number): readonly string[] =>
    written
      .filter(({ after = -Infinity }) => after >= from && after < to)
      .map(({ text }) => `${names.you}: ${text}`);
  const lines: string[] = [];
  let before = -Infinity;
  for (const turn of captions) {
    lines.push(...own(before, turn.turn));
    const { heard } = captionPartsOf(turn);
    if (heard.trim() !== '') lines.push(`${names.parley}: ${heard.trim()}`);
    before = turn.turn;
  }
  return [...lines, ...own(before, Infinity)].join('\n\n');
}
