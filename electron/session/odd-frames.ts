import type { Malformed, UnknownEvent } from '../../shared/protocol/server-event.ts';
import { tell } from './effect.ts';
import type { Effect } from './effect.ts';

/** Frames that change nothing, whatever the phase: news for the inspector, and what is no event. */
export function tellOdd(event: UnknownEvent | Malformed): Effect {
  return event.kind === 'unknown'
    ? tell({ event: 'unknown', type: event.type, raw: event.raw })
    : tell({ event: 'error', code: 'malformed', message: event.problem, fatal: false });
}
