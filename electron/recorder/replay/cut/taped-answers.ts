import type { Tape } from '../../recording/tape.ts';
import type { FilmMakerDeps, TapedAnswer } from '../film-maker-deps.ts';
import { wholeFilm } from '../whole-film.ts';
import { eventsOf } from '../tape-lines.ts';

/** What came of which turn, and on which line: nothing of it stands on a tape, so that its film has to be made. */
export async function tapedAnswers(
  tape: Tape,
  deps: FilmMakerDeps,
): Promise<readonly TapedAnswer[]> {
  // Only what was heard is counted by turns.
  if (!eventsOf(tape.lines).some(({ event }) => event?.kind === 'heard')) return [];
  const answers: TapedAnswer[] = [];
  await wholeFilm(tape, {
    ...deps,
    answered: (answer) => {
      answers.push(answer);
    },
  });
  return answers;
}
