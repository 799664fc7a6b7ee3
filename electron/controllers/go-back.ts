import type { Outcome } from '../ports/outcome.ts';
import type { UpdatePlace } from '../ports/updates.ts';
import type { UpdateMemoryStore } from './update-memory-store.ts';

/**
 * Puts the version before in place. One that waits is left behind, too: at the next end of Parley it would take the place of
 * what a person has just chosen.
 */
export async function goBack(
  place: UpdatePlace,
  memory: UpdateMemoryStore,
  running: string,
): Promise<Outcome<undefined>> {
  const { next } = await place.find();
  const swapped = await place.swap('previous');
  if (!swapped.ok) return swapped;
  if (next !== undefined) await place.drop();
  // It is offered again to who asks only.
  memory.change({ leftBehind: next ?? running });
  return swapped;
}
