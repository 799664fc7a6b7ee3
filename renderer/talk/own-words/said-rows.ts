import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import type { CaptionRow } from '../captions/caption-rows.ts';

/** What Parley said, or a phrase of the person's by when it was said. */
export type SaidRow = CaptionRow | { readonly key: string; readonly phrase: number };

/** Both sides in the order in which they began. */
export function saidRows(
  rows: readonly CaptionRow[],
  turns: readonly Pick<CaptionedTurn, 'turn'>[],
  phrases: readonly OwnPhrase[],
): readonly SaidRow[] {
  if (phrases.length === 0) return rows;
  const said: SaidRow[] = [];
  let next = 0;
  for (const row of rows) {
    const turn = turns[row.index]?.turn ?? 0;
    // A long turn has several rows: nothing stands between them.
    for (; row.from === 0 && isBefore(phrases[next], turn); next += 1)
      said.push(rowOf(phrases[next]));
    said.push(row);
  }
  for (; next < phrases.length; next += 1) said.push(rowOf(phrases[next]));
  return said;
}

function isBefore(phrase: OwnPhrase | undefined, turn: number): boolean {
  return phrase !== undefined && (phrase.after ?? -Infinity) < turn;
}

function rowOf(phrase: OwnPhrase | undefined): SaidRow {
  const at = phrase?.at ?? 0;
  return { key: `own:${at}`, phrase: at };
}
