import type { TapeHeader } from '../../recording/tape.ts';
import type { Film } from '../film.ts';
import { emptyScene, sceneAfter } from '../../../../shared/replay/replay-scene.ts';
import { speechStretches } from './speech-stretches.ts';
import type { TalkTranscript, TranscriptLine } from './transcript-value.ts';

/** What was heard of a taped talk; of the person's side its times, and its words where somebody has them. */
export function transcriptOfFilm(
  film: Film,
  { mode, endpoint, recordedAt }: Pick<TapeHeader, 'mode' | 'endpoint' | 'recordedAt'>,
  ownWords: readonly TranscriptLine[] = [],
): TalkTranscript {
  const own =
    ownWords.length > 0 ? ownWords : speechStretches(film).map(({ from }) => wordless(from));
  const lines = [...answersOf(film), ...own].toSorted((one, other) => one.at - other.at);
  return { mode, server: endpoint, recordedAt, lines };
}

function wordless(at: number): TranscriptLine {
  return { at, by: 'person', text: undefined, unheard: '', byMachine: false };
}

function answersOf(film: Film): readonly TranscriptLine[] {
  const { talk } = film.notices.reduce(sceneAfter, emptyScene);
  const began = new Map<number, number>();
  for (const { at, name, payload } of film.notices)
    if (name === 'caption' && !began.has(payload.turn)) began.set(payload.turn, at);
  const sounded = new Map(film.turns.map(({ turn, from }) => [turn, from]));
  return talk.captions.map(({ turn, text, heard, cutFrom }) => {
    const until = cutFrom ?? text.length;
    // A tape that ends in the middle of a turn settles nothing: what was heard by then stands.
    const known = film.turns.length > 0 ? Math.min(until, Math.max(heard, cutFrom ?? 0)) : until;
    return {
      at: sounded.get(turn) ?? began.get(turn) ?? 0,
      by: 'parley',
      text: text.slice(0, known),
      unheard: text.slice(known),
      byMachine: false,
    } as const;
  });
}
