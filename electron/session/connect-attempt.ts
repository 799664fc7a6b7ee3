import { enterPhase, startTimer } from './effect.ts';
import type { Effect, Transition } from './effect.ts';
import type { ConnectingState, SessionContext } from './session-state.ts';
import { handoverBackoffMs, handoverJitterMs, openTimeoutMs } from './session-timeouts.ts';

interface Attempt {
  readonly state: ConnectingState;
  readonly effects: readonly Effect[];
}

/** One try to connect, in the dialect that is up. */
export function connectAttempt(context: SessionContext): Attempt {
  return {
    state: { phase: 'connecting', context, stage: 'opening' },
    effects: [{ do: 'connect' }, startTimer('opening', openTimeoutMs)],
  };
}

/** A fresh connection, for a dialect that must not follow the other one on the same. */
export function reconnectAtOnce(context: SessionContext): Transition {
  const { state, effects } = connectAttempt(context);
  return enterPhase(state, { do: 'terminate' }, ...effects);
}

/** A fresh connection after a backoff: the worker that could not be had is free again soon. */
export function reconnectAfterBackoff(context: SessionContext): Transition {
  const handovers = context.handovers + 1;
  return enterPhase(
    { phase: 'connecting', context: { ...context, handovers }, stage: 'backoff' },
    { do: 'terminate' },
    {
      do: 'timer',
      name: 'retry',
      ms: handoverBackoffMs * 2 ** (handovers - 1),
      spreadMs: handoverJitterMs,
    },
  );
}
