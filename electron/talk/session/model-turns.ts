import type { ListenEvent, OutputEvent } from '../../../shared/protocol/realtime-api.ts';
import type { YieldPolicy } from '../../../shared/talk/talk-view.ts';
import { type Effect, emit, type ModelStep, startTimer, type TurnState } from './session-state.ts';
import {
  lateSoundAtMostMs,
  recentInterruptMs,
  recentVoiceMs,
  sameStepGapMs,
  soundAfterTextGapMs,
} from './session-timing.ts';

interface TurnsAfter {
  readonly turns: TurnState;
  readonly effects: readonly Effect[];
}

/** The model speaks. Output after an interruption is discarded, including its end of turn. */
export function applyOutput(before: TurnState, event: OutputEvent, at: number): TurnsAfter {
  const { text, audio, endOfTurn } = event;
  if (before.interrupting) return { turns: before, effects: [] };
  const hasText = text !== undefined && text !== '';
  if (hasText && before.awaitsSound === true) {
    const ended = endAwaitingTurn(before);
    const begun = applyOutput(ended.turns, event, at);
    return { turns: begun.turns, effects: [...ended.effects, ...begun.effects] };
  }
  const { turn } = before;
  const effects: Effect[] = [];
  if (hasText) effects.push(emit({ event: 'text', turn, text }));
  if (audio !== undefined && audio.length > 0) effects.push(emit({ event: 'audio', turn, audio }));
  const open = before.open || effects.length > 0;
  if (!open || endOfTurn !== true) {
    const openedAt = open ? (before.openedAt ?? at) : undefined;
    const textAt = hasText ? at : before.textAt;
    return { turns: { ...before, open, openedAt, textAt }, effects };
  }
  return { turns: closeTurn(before), effects: [...effects, emit({ event: 'turnEnded', turn })] };
}

/** Ends a turn that the model closed with a listen and that waited for late sound. */
export function endAwaitingTurn(before: TurnState): TurnsAfter {
  if (before.awaitsSound !== true) return { turns: before, effects: [] };
  const effects = [
    emit({ event: 'turnEnded', turn: before.turn }),
    { do: 'stopTimer', name: 'lateSound' },
  ] as const;
  return { turns: closeTurn(before), effects };
}

/**
 * Applies a listen. It completes an open turn, whose queued sound plays out, or cuts it, so that its sound stops. A turn whose
 * sound comes late stays open.
 */
export function applyListen(
  before: TurnState,
  event: ListenEvent,
  /** The step to which the listen belongs; undefined if the listen begins a step. */
  step: ModelStep | undefined,
  forced: boolean | undefined,
  at: number,
  yielding: YieldPolicy,
  /** The server numbers its steps and sends sound when it is ready. */
  soundComesLate: boolean,
): TurnsAfter {
  // A listen to an append from before the interruption does not answer the interruption.
  const turns: TurnState = { ...before, interrupting: before.interrupting && forced === false };
  if (!before.open) {
    return { turns, effects: [emit({ event: 'listen', yields: yielding === 'always' })] };
  }
  const inStep = event.wire === 'unified' && step !== undefined && (step.text || step.audio);
  const closesInStep = before.closesInStep || (inStep && step.audio);
  const yields =
    before.interrupting ||
    yielding === 'always' ||
    (yielding === 'auto' && !inStep && before.awaitsSound !== true && cutsShort(before, event, at));
  const soundDueBy = (before.textAt ?? -Infinity) + lateSoundAtMostMs;
  if (!yields && soundComesLate && at < soundDueBy) {
    return {
      turns: { ...turns, awaitsSound: true },
      effects: [startTimer('lateSound', soundDueBy - at), emit({ event: 'listen', yields })],
    };
  }
  const end: readonly Effect[] = yields ? [] : [emit({ event: 'turnEnded', turn: before.turn })];
  return {
    turns: {
      ...closeTurn(turns),
      closesInStep,
      previousTurnWasCut: yields,
      // The interruption took effect and says nothing about the next turn's end.
      interruptedAt: yields ? undefined : before.interruptedAt,
    },
    effects: [...end, emit({ event: 'listen', yields })],
  };
}

/**
 * Whether a listen that does not mark the turn's end cuts the open turn. It does if the server marks ends: in the
 * legacy dialect, or with a listen in the step of the last sound (`closesInStep`). Otherwise it does if the user
 * interrupted or spoke during the turn.
 */
function cutsShort(turns: TurnState, { wire }: ListenEvent, at: number): boolean {
  if (wire === 'legacy' || turns.closesInStep) return true;
  const { interruptedAt, voicedAt, openedAt } = turns;
  if (interruptedAt !== undefined && at - interruptedAt <= recentInterruptMs) return true;
  if (voicedAt === undefined || openedAt === undefined) return false;
  return voicedAt > openedAt && at - voicedAt <= recentVoiceMs;
}

function closeTurn(turns: TurnState): TurnState {
  return {
    ...turns,
    open: false,
    openedAt: undefined,
    textAt: undefined,
    awaitsSound: undefined,
    previousTurnWasCut: undefined,
    turn: turns.turn + 1,
  };
}

/**
 * Whether an event begins a new step of the model. If the event or the current step has an id, the
 * ids decide. In the legacy dialect every event is a step.
 *
 * In the unified dialect without ids, a step brings text, then sound, and perhaps a listen:
 * Text after text, and sound after sound, belong to one step within `sameStepGapMs`. Text after
 * sound, and anything after a listen, begins a step. Sound after text belongs to its step within
 * `soundAfterTextGapMs`. A listen after sound belongs to its step within `sameStepGapMs`, or if no
 * append is left that it could answer; any other listen begins a step.
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
  const { text, audio } = outputContent(event);
  if (step.audio) return text || gap > sameStepGapMs;
  return gap > (audio ? soundAfterTextGapMs : sameStepGapMs);
}

/** Updates the current step with the event, or starts a new one. */
export function updateStep(
  step: ModelStep | undefined,
  event: OutputEvent | ListenEvent,
  at: number,
  fresh: boolean,
  forced: boolean | undefined,
): ModelStep {
  const before = fresh ? undefined : step;
  const { text, audio } =
    event.kind === 'output' ? outputContent(event) : { text: false, audio: false };
  return {
    inputId: event.inputId,
    at,
    text: text || (before?.text ?? false),
    audio: audio || (before?.audio ?? false),
    listened: event.kind === 'listen',
    forced: fresh ? forced : before?.forced,
  };
}

function outputContent({ text, audio }: OutputEvent): {
  readonly text: boolean;
  readonly audio: boolean;
} {
  return {
    text: text !== undefined && text !== '',
    audio: audio !== undefined && audio.length > 0,
  };
}
