import type { Outcome } from '../../ports/outcome.ts';
import { openTape } from './open-tape.ts';
import type { OpenTape, OpenTapeDeps } from './open-tape.ts';
import { findTapePlace } from './tape-place.ts';
import type { TapePlaceDeps } from './tape-place.ts';

/** A tape from wherever it was, to be played. */
export interface LoadedTape {
  readonly tape: OpenTape;
  /** Where its files are, which may have been unpacked for it. */
  readonly folder: string;
  /** Where it was found: its folder, or the file that holds all of it. */
  readonly path: string;
  /** Gives back what was opened and unpacked for it. */
  readonly leave: () => Promise<void>;
}

/** Opens the tape that somebody pointed at, in whichever of its forms, as far as it is whole. */
export async function loadTapeAt(
  path: string,
  deps: OpenTapeDeps & TapePlaceDeps,
): Promise<Outcome<LoadedTape>> {
  const place = await findTapePlace(path, deps);
  if (!place.ok) return place;
  const { folder, called, leave } = place.value;
  const tape = await openTape(folder, { ...deps, called });
  if (!tape.ok) {
    await leave();
    return tape;
  }
  const close = async (): Promise<void> => {
    tape.value.close();
    await leave();
  };
  return { ok: true, value: { tape: tape.value, folder, path: called, leave: close } };
}
