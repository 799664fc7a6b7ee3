import { enter, timer } from './effect.ts';
import type { Effect, Transition } from './effect.ts';
import type { Connecting, Course } from './state.ts';
import { handoverBackoffMs, handoverSpreadMs, openWithinMs } from './timings.ts';

interface Attempt {
  readonly state: Connecting;
  readonly effects: readonly Effect[];
}

export function connectNow(course: Course): Attempt {
  return {
    state: { phase: 'connecting', course, stage: 'opening' },
    effects: [{ do: 'connect' }, timer('opening', openWithinMs)],
  };
}

/** A fresh line, for a dialect that must not follow the other one on the same. */
export function reconnect(course: Course): Transition {
  const { state, effects } = connectNow(course);
  return enter(state, { do: 'terminate' }, ...effects);
}

/** A fresh line in a moment: the worker that could not be had is free again soon. */
export function reconnectSoon(course: Course): Transition {
  const handovers = course.handovers + 1;
  return enter(
    { phase: 'connecting', course: { ...course, handovers }, stage: 'waiting' },
    { do: 'terminate' },
    {
      do: 'timer',
      name: 'retry',
      ms: handoverBackoffMs * 2 ** (handovers - 1),
      spreadMs: handoverSpreadMs,
    },
  );
}
