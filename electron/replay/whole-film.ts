import { failure } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Tape } from '../recording/tape.ts';
import { FilmMaker } from './film-maker.ts';
import type { FilmMakerDeps } from './film-maker.ts';

/** All of a tape's film at once, for who shows nothing meanwhile. */
export async function wholeFilm(tape: Tape, deps: FilmMakerDeps): Promise<Outcome<FilmMaker>> {
  const { mode } = tape.header;
  // No film is made of a written conversation.
  if (mode === 'chat') return failure('replayOfChat');
  const maker = new FilmMaker(tape, mode, deps);
  await maker.make(() => false);
  return { ok: true, value: maker };
}
