import { configure } from './configure.ts';
import { enter, tell, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { closedByServer } from './endings.ts';
import type { Happening } from './happening.ts';
import { hangUp } from './leaving.ts';
import { tellOdd } from './odd-frames.ts';
import { endFatally, goOnAfter, isFatal } from './server-errors.ts';
import type { Connecting, Queued } from './state.ts';

/** What servers say before a worker is assigned; until then nothing may be sent. */
export function hearBeforeAdmission(
  state: Connecting | Queued,
  { event, at }: Extract<Happening, { kind: 'server' }>,
): Transition {
  const { course } = state;
  switch (event.kind) {
    case 'queued': {
      const { position, length, etaSeconds } = event;
      const queue = tell({ event: 'queue', position, length, etaSeconds });
      return state.phase === 'queued'
        ? to(state, queue)
        : enter({ phase: 'queued', course }, queue);
    }
    case 'admitted':
      return configure(course, at);
    case 'closed':
      return hangUp(closedByServer(event.reason, event.diagnostic, course.mode));
    case 'error':
      return isFatal(event) ? endFatally(event) : goOnAfter(state, event, at);
    case 'unknown':
    case 'malformed':
      return to(state, tellOdd(event));
    case 'created':
    case 'listen':
    case 'output':
    case 'done':
      return to(state);
  }
}
