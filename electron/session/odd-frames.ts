import type { Done, Malformed, Output, UnknownEvent } from '../../shared/protocol/server-event.ts';
import { tell } from './effect.ts';
import type { Effect } from './effect.ts';

/** Frames that change nothing, whatever the phase: news for the inspector, and what is no event. */
export function tellOdd(event: UnknownEvent | Malformed): Effect {
  return event.kind === 'unknown'
    ? tell({ event: 'unknown', type: event.type, raw: event.raw })
    : tell({ event: 'error', code: 'malformed', message: event.problem, fatal: false });
}

/** Sound that came with samples that are none: it is used, but somebody should hear of it. */
export function tellRepairs({ repairedSamples = 0 }: Output | Done): readonly Effect[] {
  if (repairedSamples === 0) return [];
  const message = "The server's sound has samples that are no numbers; they are heard as silence.";
  return [tell({ event: 'error', code: 'malformed', message, fatal: false })];
}
