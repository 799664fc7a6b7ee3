import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import type { OwnPhrase, OwnWords } from '../../../shared/talk/own-words.ts';
import { useUiState } from '../../app/use-app-context.ts';
import type { SpokenTurn } from '../talk-ui-state.ts';
import type { CaptionRow } from './caption-rows.ts';

type OwnRow =
  | { readonly key: string; readonly phrase: number }
  | { readonly key: string; readonly seconds: number };

/** What Parley said, or a phrase of the person's by when it was said, or only for how long. */
export type SaidRow = CaptionRow | OwnRow;

interface Own {
  readonly after: number | undefined;
  readonly row: OwnRow;
}

/** Both sides in the order in which they began. Marks stand where nothing is written down. */
export function saidRows(
  rows: readonly CaptionRow[],
  turns: readonly Pick<CaptionedTurn, 'turn'>[],
  phrases: readonly OwnPhrase[],
  spoken: readonly SpokenTurn[] = [],
): readonly SaidRow[] {
  const own = phrases.length > 0 ? phrases.map(phraseRow) : spoken.map(spokenRow);
  if (own.length === 0) return rows;
  const said: SaidRow[] = [];
  let next = 0;
  for (const row of rows) {
    const turn = turns[row.index]?.turn ?? 0;
    // A long turn has several rows: nothing stands between them.
    for (let each = own[next]; row.from === 0 && isBefore(each, turn); each = own[next]) {
      if (each !== undefined) said.push(each.row);
      next += 1;
    }
    said.push(row);
  }
  return [...said, ...own.slice(next).map(({ row }) => row)];
}

function isBefore(own: Own | undefined, turn: number): boolean {
  return own !== undefined && (own.after ?? -Infinity) < turn;
}

function phraseRow({ at, after }: OwnPhrase): Own {
  return { after, row: { key: `own:${at}`, phrase: at } };
}

function spokenRow({ at, after, seconds }: SpokenTurn): Own {
  return { after, row: { key: `spoken:${at}`, seconds } };
}

/** While a talk goes on of which nothing is written down before its end, what waits for that is only in the way. */
export function shownPhrases({ status, phrases }: OwnWords): readonly OwnPhrase[] {
  return status.kind === 'afterTalk' ? phrases.filter(({ state }) => state !== 'waiting') : phrases;
}

/** Whether there are words of the talk on the screen, of Parley or of the person. */
export function useSomethingSaid(): boolean {
  return useUiState(
    ({ captions, ownWords }) => captions.length > 0 || shownPhrases(ownWords).length > 0,
  );
}
