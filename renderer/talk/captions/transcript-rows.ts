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

interface PlacedUserRow {
  readonly after: number | undefined;
  readonly row: UserRow;
}

/** Merges both sides by time. Speaking marks are used only if nothing was transcribed. */
export function mergeTranscriptRows(
  rows: readonly CaptionRow[],
  turns: readonly Pick<CaptionedTurn, 'turn'>[],
  phrases: readonly UserPhrase[],
  spoken: readonly SpokenTurn[] = [],
  requests: readonly TalkRequest[] = [],
): readonly TranscriptRow[] {
  const said = phrases.length > 0 ? phrases.map(phraseRow) : spoken.map(spokenRow);
  const own =
    requests.length === 0
      ? said
      : [...said, ...requests.map(requestRow)].toSorted(
          (one, other) => placeOf(one) - placeOf(other),
        );
  if (own.length === 0) return rows;
  const merged: TranscriptRow[] = [];
  let next = 0;
  for (const row of rows) {
    const turn = turns[row.index]?.turn ?? 0;
    // A long turn has several rows, and no row of the user goes between them.
    for (
      let candidate = own[next];
      row.from === 0 && isBefore(candidate, turn);
      candidate = own[next]
    ) {
      if (candidate !== undefined) merged.push(candidate.row);
      next += 1;
    }
    merged.push(row);
  }
  return [...merged, ...own.slice(next).map(({ row }) => row)];
}

function isBefore(own: PlacedUserRow | undefined, turn: number): boolean {
  return own !== undefined && placeOf(own) < turn;
}

/** Turns of an earlier run have negative numbers. */
const placeOf = ({ after }: PlacedUserRow): number => after ?? -Number.MAX_VALUE;

function requestRow({ id, after }: TalkRequest): PlacedUserRow {
  return { after, row: { key: `request:${id}`, request: id } };
}

function phraseRow({ at, after }: UserPhrase): PlacedUserRow {
  return { after, row: { key: `own:${at}`, phrase: at } };
}

function spokenRow({ at, after, seconds }: SpokenTurn): PlacedUserRow {
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

/** A request that runs is shown above the controls instead. */
export const isFinished = ({ state }: TalkRequest): boolean =>
  state !== 'writing' && state !== 'answering';
