import { failure } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { Tape } from '../recording/tape.ts';
import { FilmMaker } from './film-maker.ts';
import type { FilmMakerDeps } from './film-maker-deps.ts';

/** For who must not be held up while a film is made, and may be tired of it. */
export interface FilmPace {
  readonly clock: Clock;
  readonly stopped: () => boolean;
  /** From 0 to 1. */
  readonly made: (part: number) => void;
}

/** The loop is held no longer at a time. */
const sliceMs = 12;
const restMs = 2;

/** All of a tape's film, for who shows nothing meanwhile: in one go, or in slices between which others have their turn. */
export async function wholeFilm(
  tape: Tape,
  deps: FilmMakerDeps,
  pace?: FilmPace,
): Promise<Outcome<FilmMaker>> {
  const { mode } = tape.header;
  // No film is made of a written conversation.
  if (mode === 'chat') return failure('replayOfChat');
  const maker = new FilmMaker(tape, mode, deps);
  if (pace === undefined) await maker.make(() => false);
  else while (await makeSlice(maker, pace)) if (pace.stopped()) return failure('exportStopped');
  return { ok: true, value: maker };
}

async function makeSlice(maker: FilmMaker, { clock, made }: FilmPace): Promise<boolean> {
  const began = clock.now();
  const more = await maker.make(() => clock.now() - began > sliceMs);
  const { readyMs, lengthMs } = maker.film;
  made(more ? readyMs / Math.max(1, lengthMs) : 1);
  if (more) await new Promise<void>((resolve) => clock.after(restMs, resolve));
  return more;
}
