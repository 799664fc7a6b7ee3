import type { ListenEvent, OutputEvent } from '../../shared/protocol/server-event.ts';
import { emit, startTimer } from './effect.ts';
import type { Effect } from './effect.ts';
import type { ModelStep, TurnState } from './session-state.ts';
import { lateSoundAtMostMs, recentInterruptMs, recentVoiceMs } from './session-timeouts.ts';
import type { YieldPolicy } from './session-event.ts';

interface TurnsAfter {
  readonly turns: TurnState;
  readonly effects: readonly Effect[];
}

/** The model speaks. What it says after an interruption is not wanted, nor is the end it puts to it. */
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

/** No more sound is to be expected of the turn that the model has ended by listening. */
export function endAwaitingTurn(before: TurnState): TurnsAfter {
  if (before.awaitsSound !== true) return { turns: before, effects: [] };
  const effects = [
    emit({ event: 'turnEnded', turn: before.turn }),
    { do: 'stopTimer', name: 'lateSound' },
  ] as const;
  return { turns: closeTurn(before), effects };
}

/**
 * The model listens. Over an open turn this is its end (what is queued of its sound is played out)
 * or it cuts the turn short (the sound must stop): see `cutsShort`.
 */
export function applyListen(
  before: TurnState,
  event: ListenEvent,
  /** The step of the listen, when it had brought something before. */
  step: ModelStep | undefined,
  forced: boolean | undefined,
  at: number,
  yielding: YieldPolicy,
  /** Sound comes when it is ready, as of a server that numbers its steps. */
  soundComesLate: boolean,
): TurnsAfter {
  // A listen to an append from before the interruption is not the answer to it.
  const turns: TurnState = { ...before, interrupting: before.interrupting && forced === false };
  if (!before.open) {
    return { turns, effects: [emit({ event: 'listen', yields: yielding === 'always' })] };
  }
  const inStep = event.wire === 'unified' && step !== undefined && (step.text || step.audio);
  const closesInStep = before.closesInStep || (inStep && step.audio);
  const yields =
    before.interrupting ||
    yielding === 'always' ||
    (yielding === 'auto' && !inStep && cutsShort(before, event, at));
  const soundDueBy = (before.textAt ?? -Infinity) + lateSoundAtMostMs;
  if (!yields && soundComesLate && at < soundDueBy) {
    const wait: readonly Effect[] =
      before.awaitsSound === true ? [] : [startTimer('lateSound', soundDueBy - at)];
    return {
      turns: { ...turns, awaitsSound: true },
      effects: [...wait, emit({ event: 'listen', yields })],
    };
  }
  const end: readonly Effect[] = yields ? [] : [emit({ event: 'turnEnded', turn: before.turn })];
  return {
    turns: {
      ...closeTurn(turns),
      closesInStep,
      previousTurnWasCut: yields,
      // It has had its effect; how the next turn ends does not follow from it.
      interruptedAt: yields ? undefined : before.interruptedAt,
    },
    effects: [...end, emit({ event: 'listen', yields })],
  };
}

/**
 * A legacy server marks the end of a turn, so a listen without that mark cuts it. A unified one that
 * closes turns within the step would have done so. With any other the person decides: a recent
 * interruption, or their own voice while the model spoke, has made it yield.
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
    turn: turns.turn + 1,
  };
}
