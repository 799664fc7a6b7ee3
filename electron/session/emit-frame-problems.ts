import { appError } from '../../shared/errors/app-error.ts';
import type {
  DoneEvent,
  MalformedEvent,
  OutputEvent,
  UnknownEvent,
} from '../../shared/protocol/server-event.ts';
import { emit } from './effect.ts';
import type { Effect } from './effect.ts';

/** Frames that change nothing, whatever the phase: information for the inspector, and what is no event. */
export function emitUnreadable(event: UnknownEvent | MalformedEvent): Effect {
  return event.kind === 'unknown'
    ? emit({ event: 'unknown', type: event.type })
    : emitMalformed(event.problem);
}

/** Sound that came with samples that are none: it is used, but it is emitted as an error. */
export function emitRepairs({ repairedSamples = 0 }: OutputEvent | DoneEvent): readonly Effect[] {
  if (repairedSamples === 0) return [];
  return [
    emitMalformed("The server's sound has samples that are no numbers; they are heard as silence."),
  ];
}

function emitMalformed(detail: string): Effect {
  const error = appError('eventUnreadable', {}, { detail });
  return emit({ event: 'error', error, fatal: false });
}
