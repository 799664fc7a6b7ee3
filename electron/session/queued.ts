import { hearBeforeAdmission } from './before-admission.ts';
import { to } from './effect.ts';
import type { Transition } from './effect.ts';
import { ownEnding } from './endings.ts';
import type { Happening } from './happening.ts';
import { finish, hangUp } from './leaving.ts';
import { endedByLine } from './line-endings.ts';
import type { Queued } from './state.ts';
import { keepWish } from './wishes.ts';

/** Queues may be long, and a worker that is down queues for ever: giving up is the person's choice. */
export function inQueued(state: Queued, event: Happening): Transition {
  switch (event.kind) {
    case 'server':
      return hearBeforeAdmission(state, event);
    case 'ended':
      return finish(endedByLine(event.end, state.course, event.at));
    case 'end':
      return hangUp(ownEnding(state.course.mode));
    case 'opened':
    case 'timer':
      return to(state);
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
