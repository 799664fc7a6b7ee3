import type { CaptionedTurn } from '../../../shared/talk/caption-patch.ts';
import type { UserPhrase, UserTranscript } from '../../../shared/talk/user-transcript.ts';
import type { TalkRequest } from '../../../shared/tools/talk-request.ts';
import { useUiState } from '../../app/use-app-context.ts';
import type { SpokenTurn } from '../talk-ui-state.ts';
import type { CaptionRow } from './caption-rows.ts';

type UserRow =
  | { readonly key: string; readonly request: string }
  | { readonly key: string; readonly phrase: number }
  | { readonly key: string; readonly seconds: number };

/** A row of an answer, a transcribed phrase of the user, or a mark of how long the user spoke. */
export type TranscriptRow = CaptionRow | UserRow;

interface OrderedUserRow {
  readonly after: number | undefined;
  readonly row: UserRow;
}

/** Puts each row of the user after the turn that it followed. Speaking marks are used only if nothing was transcribed. */
export function mergeTranscriptRows(
  rows: readonly CaptionRow[],
  turns: readonly Pick<CaptionedTurn, 'turn'>[],
  phrases: readonly UserPhrase[],
  spoken: readonly SpokenTurn[] = [],
  requests: readonly TalkRequest[] = [],
): readonly TranscriptRow[] {
  const speechRows = phrases.length > 0 ? phrases.map(phraseRow) : spoken.map(spokenRow);
  const userRows =
    requests.length === 0
      ? speechRows
      : [...speechRows, ...requests.map(requestRow)].toSorted(
          (one, other) => orderOf(one) - orderOf(other),
        );
  if (userRows.length === 0) return rows;
  const merged: TranscriptRow[] = [];
  let next = 0;
  for (const row of rows) {
    const turn = turns[row.index]?.turn ?? 0;
    // A long turn has several rows, and no row of the user goes between them.
    for (
      let candidate = userRows[next];
      row.from === 0 && isBefore(candidate, turn);
      candidate = userRows[next]
    ) {
      if (candidate !== undefined) merged.push(candidate.row);
      next += 1;
    }
    merged.push(row);
  }
  return [...merged, ...userRows.slice(next).map(({ row }) => row)];
}

function isBefore(row: OrderedUserRow | undefined, turn: number): boolean {
  return row !== undefined && orderOf(row) < turn;
}

/** A row without a turn before it comes first. Turns of an earlier run have negative numbers. */
const orderOf = ({ after }: OrderedUserRow): number => after ?? -Number.MAX_VALUE;

function requestRow({ id, after }: TalkRequest): OrderedUserRow {
  return { after, row: { key: `request:${id}`, request: id } };
}

function phraseRow({ at, after }: UserPhrase): OrderedUserRow {
  return { after, row: { key: `own:${at}`, phrase: at } };
}

function spokenRow({ at, after, seconds }: SpokenTurn): OrderedUserRow {
  return { after, row: { key: `spoken:${at}`, seconds } };
}

/** While transcription is deferred to the end of the talk, phrases that still wait for it are hidden. */
export function visiblePhrases({ status, phrases }: UserTranscript): readonly UserPhrase[] {
  return status.kind === 'afterTalk' ? phrases.filter(({ state }) => state !== 'waiting') : phrases;
}

export function useHasTranscript(): boolean {
  return useUiState(
    ({ captions, userTranscript, talkRequests }) =>
      captions.length > 0 ||
      visiblePhrases(userTranscript).length > 0 ||
      talkRequests.some(isFinished),
  );
}

/** Whether the list shows the request. A running one is shown above the controls instead. */
export const isFinished = ({ state }: TalkRequest): boolean =>
  state !== 'writing' && state !== 'answering';
