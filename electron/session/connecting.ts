import { enter, timer, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { failure, ownEnding } from './endings.ts';
import type { Happening, TimerName } from './happening.ts';
import { finish, hangUp } from './leaving.ts';
import { endedByLine } from './line-endings.ts';
import type { Connecting } from './state.ts';
import { firstWordWithinMs, openWithinMs } from './timings.ts';
import { hearBeforeAdmission } from './before-admission.ts';
import { keepWish } from './wishes.ts';
import { connectNow } from './reconnect.ts';

export function inConnecting(state: Connecting, event: Happening): Transition {
  switch (event.kind) {
    case 'opened':
      return state.stage === 'opening'
        ? to(
            { ...state, stage: 'opened' },
            { do: 'stopTimer', name: 'opening' },
            timer('firstWord', firstWordWithinMs),
          )
        : to(state);
    case 'server':
      return state.stage === 'opened' ? hearBeforeAdmission(state, event) : to(state);
    case 'ended':
      return state.stage === 'waiting' || state.stage === 'impossible'
        ? to(state)
        : finish(endedByLine(event.end, state.course, event.at));
    case 'timer':
      return onTimer(state, event.name);
    case 'end': {
      const ending = ownEnding(state.course.mode);
      return state.stage === 'opened' ? hangUp(ending) : finish(ending);
    }
    case 'chunk':
    case 'see':
    case 'slices':
    case 'ask':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return to({ ...state, course: keepWish(state.course, event) });
  }
}

/** The stage that each timer times; in any other it is nobody's. */
const timed: Readonly<Partial<Record<TimerName, Connecting['stage']>>> = {
  opening: 'opening',
  firstWord: 'opened',
  retry: 'waiting',
  impossible: 'impossible',
};

function onTimer(state: Connecting, name: TimerName): Transition {
  if (timed[name] !== state.stage) return to(state);
  switch (name) {
    case 'opening':
      return finish(
        failure(
          'unreachable',
          `The server did not answer within ${openWithinMs / 1000} seconds. Check the address and the network.`,
          'network',
        ),
      );
    case 'firstWord':
      return hangUp(
        failure(
          'silent',
          `The server took the connection but said nothing for ${firstWordWithinMs / 1000} seconds. Check that the address leads to a realtime endpoint.`,
        ),
      );
    case 'retry': {
      const { state: next, effects } = connectNow(state.course);
      return to(next, ...effects);
    }
    case 'impossible':
      return finish(
        failure(
          'no_chat_in_legacy',
          'The legacy dialect has no chat. Choose the unified dialect, or let Parley find out.',
          'client',
        ),
      );
    case 'created':
    case 'answer':
    case 'goodbye':
    case 'hangUp':
      return to(state);
  }
}

/** The first step of all. */
export function begin(course: Connecting['course']): Transition {
  if (course.mode === 'chat' && course.dialect === 'legacy')
    // Told later, not from inside the call that opens the session and has not returned it yet.
    return enter({ phase: 'connecting', course, stage: 'impossible' }, timer('impossible', 0));
  const { state, effects } = connectNow(course);
  return enter(state, ...effects);
}
