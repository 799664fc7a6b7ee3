import { timer, to } from './effect.ts';
import type { Transition } from './effect.ts';
import type { Happening, TimerName } from './happening.ts';
import { finish } from './leaving.ts';
import { tellOdd } from './odd-frames.ts';
import type { Closing } from './state.ts';
import { hangUpWithinMs } from './timings.ts';

/** On the way out. The ending stands already; nothing is sent, and what comes is of no use any more. */
export function inClosing(state: Closing, event: Happening): Transition {
  switch (event.kind) {
    case 'ended':
      return finish(state.ending);
    case 'server':
      if (event.event.kind === 'closed' && state.stage === 'goodbye') return closeLine(state);
      return event.event.kind === 'unknown' ? to(state, tellOdd(event.event)) : to(state);
    case 'timer':
      return onTimer(state, event.name);
    case 'opened':
    case 'end':
    case 'chunk':
    case 'see':
    case 'slices':
    case 'ask':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return to(state);
  }
}

function onTimer(state: Closing, name: TimerName): Transition {
  if (state.stage === 'goodbye') return name === 'goodbye' ? closeLine(state) : to(state);
  return name === 'hangUp' ? finish(state.ending) : to(state);
}

function closeLine(state: Closing): Transition {
  return to(
    { ...state, stage: 'hangingUp' },
    { do: 'stopTimer', name: 'goodbye' },
    { do: 'disconnect' },
    timer('hangUp', hangUpWithinMs),
  );
}
