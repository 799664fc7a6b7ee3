import type {
  DoneEvent,
  MalformedEvent,
  OutputEvent,
  UnknownEvent,
} from '../../shared/protocol/server-event.ts';
import { emit } from './effect.ts';
import type { Effect } from './effect.ts';

/** Frames that change nothing, whatever the phase: news for the inspector, and what is no event. */
export function emitUnreadable(event: UnknownEvent | MalformedEvent): Effect {
  return event.kind === 'unknown'
    ? emit({ event: 'unknown', type: event.type, raw: event.raw })
    : emit({ event: 'error', code: 'malformed', message: event.problem, fatal: false });
}

/** Sound that came with samples that are none: it is used, but somebody should hear of it. */
export function emitRepairs({ repairedSamples = 0 }: OutputEvent | DoneEvent): readonly Effect[] {
  if (repairedSamples === 0) return [];
  const message = "The server's sound has samples that are no numbers; they are heard as silence.";
  return [emit({ event: 'error', code: 'malformed', message, fatal: false })];
}
