import type { ListenEvent, OutputEvent } from '../../shared/protocol/server-event.ts';
import type { ModelStep } from './session-state.ts';
import { sameStepGapMs, soundAfterTextGapMs } from './session-timeouts.ts';

/**
 * Whether an event begins a new step of the model.
 *
 * - With an id on the event or on the current step, the ids decide.
 * - A legacy event is a step by itself.
 * - Unified without ids: a step brings text, then sound, and perhaps a listen that closes the turn.
 *   - text after text, and sound after sound, belong together when they come at once (`sameStepMs`:
 *     no model makes a step so fast); text after sound or after a listen begins a step.
 *   - sound after text belongs to it within `soundAfterTextGapMs`.
 *   - a listen after sound belongs to it when it comes at once, or when no append is left that it
 *     could answer; any other listen begins a step.
 */
export function beginsStep(
  step: ModelStep | undefined,
  event: OutputEvent | ListenEvent,
  at: number,
  unanswered: number,
): boolean {
  if (step === undefined || event.wire === 'legacy') return true;
  if (event.inputId !== undefined || step.inputId !== undefined)
    return event.inputId !== step.inputId;
  if (step.listened) return true;
  const gap = at - step.at;
  if (event.kind === 'listen') return !step.audio || (gap > sameStepGapMs && unanswered > 0);
  const { text, audio } = bringing(event);
  if (step.audio) return text || gap > sameStepGapMs;
  return gap > (audio ? soundAfterTextGapMs : sameStepGapMs);
}

/** The current step after the event: the old one with more in it, or a new one. */
export function updateStep(
  step: ModelStep | undefined,
  event: OutputEvent | ListenEvent,
  at: number,
  fresh: boolean,
  forced: boolean | undefined,
): ModelStep {
  const before = fresh ? undefined : step;
  const { text, audio } = event.kind === 'output' ? bringing(event) : { text: false, audio: false };
  return {
    inputId: event.inputId,
    at,
    text: text || (before?.text ?? false),
    audio: audio || (before?.audio ?? false),
    listened: event.kind === 'listen',
    forced: fresh ? forced : before?.forced,
  };
}

function bringing({ text, audio }: OutputEvent): {
  readonly text: boolean;
  readonly audio: boolean;
} {
  return {
    text: text !== undefined && text !== '',
    audio: audio !== undefined && audio.length > 0,
  };
}
