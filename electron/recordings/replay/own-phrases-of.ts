import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';

/** The person's words of a talk's text, at the times of its tape, which begins a moment before the talk is shown. */
export function ownPhrasesOf(
  { turns, begunAt }: Pick<TalkRecord, 'turns' | 'begunAt'>,
  /** In milliseconds since 1970; no number where the tape does not say. */
  recordedAt: number,
): readonly OwnPhrase[] {
  const offset = Number.isFinite(recordedAt) ? begunAt - recordedAt : 0;
  return turns
    .flatMap(({ by, at, text, transcribed }): readonly OwnPhrase[] => {
      const place = Math.round(at + offset);
      // A tape of the last minutes begins later than its talk.
      if (by !== 'person' || text === '' || place < 0) return [];
      const written = transcribed ?? 'corrected';
      return [
        { at: place, seconds: 0, after: undefined, state: 'written', text, transcribed: written },
      ];
    })
    .toSorted((one, other) => one.at - other.at);
}
