import type { Malformed, ServerEvent, UnknownEvent } from '../../shared/protocol/server-event.ts';
import { tell, to } from './effect.ts';
import type { Effect, Transition } from './effect.ts';

/** Frames that change nothing, whatever the phase: news for the inspector, and what is no event. */
export function tellOdd(event: UnknownEvent | Malformed): Effect {
  return event.kind === 'unknown'
    ? tell({ event: 'unknown', type: event.type, raw: event.raw })
    : tell({ event: 'error', code: 'malformed', message: event.problem, fatal: false });
}

/** Samples that were no number have been made silence on the way; the first time that is told. */
export function tellRepair(event: ServerEvent, { state, effects }: Transition): Transition {
  const repaired = event.kind === 'output' || event.kind === 'done' ? event.repairedSamples : 0;
  if (state.phase !== 'live' || state.course.toldRepair === true || !repaired) {
    return { state, effects };
  }
  const message = 'The server sent sound with samples that are no numbers; they were made silence.';
  return to(
    { ...state, course: { ...state.course, toldRepair: true } },
    ...effects,
    tell({ event: 'error', code: 'invalid_samples', message, fatal: false }),
  );
}
