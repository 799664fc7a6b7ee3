import { join } from 'node:path';
import { createStartMarker } from '../adapters/files/start-marker.ts';
import { stateFolder } from '../adapters/files/state-folder.ts';
import type { StartMarker } from '../ports/start-marker.ts';

interface StartServices {
  /** Whether the starts before this one came to their end. */
  readonly marker: StartMarker;
  /** What processes that crash leave behind. */
  readonly crashFolder: string;
}

/** Composes what is needed before anything else is loaded: it may be what no start survives. */
export function composeStart(): StartServices {
  const folder = stateFolder();
  return { marker: createStartMarker(folder), crashFolder: join(folder, 'crashes') };
}
