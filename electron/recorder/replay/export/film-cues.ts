import { emptyScene, sceneAfter } from '../../../../shared/replay/replay-scene.ts';
import type { Cue, CueWord } from '../../../conversation/captions/caption-cue.ts';
import { CaptionWords } from '../../../conversation/captions/caption-words.ts';
import type { Film } from '../film.ts';

/** The words of all turns with the times at which they were heard; of a turn that the tape cuts, as far as that goes. */
export function cuesOfFilm(film: Film): readonly Cue[] {
  const known = new Set(film.cues.map(({ turn }) => turn));
  const { talk } = film.notices.reduce(sceneAfter, emptyScene);
  const others = talk.captions.flatMap(({ turn, text, cutFrom }) =>
    known.has(turn) ? [] : cueOfNotices(film, turn, text.slice(0, cutFrom)),
  );
  return [...film.cues, ...others].toSorted((one, other) => one.turn - other.turn);
}

/** A turn without an end has no cue yet; what was shown of it has its times. */
function cueOfNotices(film: Film, turn: number, text: string): readonly Cue[] {
  const heard: { readonly at: number; readonly letters: number }[] = [];
  for (const { at, name, payload } of film.notices)
    if (name === 'caption' && payload.turn === turn && payload.heard !== undefined)
      heard.push({ at, letters: payload.heard });
  const split = new CaptionWords();
  split.add(text);
  const words: CueWord[] = [];
  let start = film.turns.find((one) => one.turn === turn)?.from ?? heard[0]?.at ?? 0;
  for (const word of split.list) {
    const end = heard.find(({ letters }) => letters >= word.end)?.at;
    if (end === undefined) break;
    words.push({ text: word.text, start, end });
    start = end;
  }
  return words.length > 0 ? [{ turn, words }] : [];
}
