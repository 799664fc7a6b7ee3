import type { ServerError } from '../../shared/protocol/server-event.ts';
import type { SocketEnd } from '../ports/sockets.ts';
import { otherDialect, tryOther } from './configure.ts';
import { tell, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { closedByServer, failure, ownEnding, withWords } from './endings.ts';
import type { Ending } from './endings.ts';
import type { Happening } from './happening.ts';
import { finish, hangUp } from './leaving.ts';
import { endedByLine } from './line-endings.ts';
import { goLive } from './go-live.ts';
import { tellOdd } from './odd-frames.ts';
import { reconnectSoon } from './reconnect.ts';
import { endFatally, goOnAfter, isFailedHandover, isFatal, isRefusal } from './server-errors.ts';
import type { Configuring, Course } from './state.ts';
import { mostHandovers, rightAfterMs } from './timings.ts';
import { keepWish } from './wishes.ts';

export function inConfiguring(state: Configuring, event: Happening): Transition {
  const { course } = state;
  switch (event.kind) {
    case 'server':
      return hear(state, event);
    case 'ended':
      return looksRefused(event.end) && mayBeOther(state, event.at)
        ? tryOther(
            course,
            { silent: false, ending: endedByLine(event.end, course, event.at) },
            { on: 'newLine' },
          )
        : finish(withHint(endedByLine(event.end, course, event.at), course));
    case 'timer':
      return event.name === 'created' ? onSilence(state) : to(state);
    case 'end':
      // Before it is created a session knows no `session.close`: documented servers answer an error.
      return hangUp(ownEnding(course.mode));
    case 'opened':
      return to(state);
    case 'chunk':
    case 'see':
    case 'slices':
    case 'ask':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return to({ ...state, course: keepWish(course, event) });
  }
}

function hear(
  state: Configuring,
  { event, at }: Extract<Happening, { kind: 'server' }>,
): Transition {
  const { course } = state;
  switch (event.kind) {
    case 'created':
      return goLive(course, event, at);
    case 'closed': {
      const ending = closedByServer(event.reason, event.diagnostic, course.mode);
      return event.reason === 'backend_error' && mayBeOther(state, at)
        ? tryOther(course, { silent: false, ending }, { on: 'newLine' })
        : hangUp(withHint(ending, course));
    }
    case 'error':
      return onError(state, event, at);
    case 'unknown':
    case 'malformed':
      return to(state, tellOdd(event));
    case 'queued':
    case 'admitted':
    case 'listen':
    case 'output':
    case 'done':
      return to(state);
  }
}

function onError(state: Configuring, error: ServerError, at: number): Transition {
  const { course, since } = state;
  if (isFailedHandover(error) && at - since <= rightAfterMs && course.handovers < mostHandovers)
    // The dialect had no say in it, so it has not been tried.
    return reconnectSoon({ ...course, configures: course.configures - 1 });
  if (isFatal(error)) return endFatally(error);
  if (!isRefusal(error)) return goOnAfter(state, error, at);
  const { code, message } = error;
  const problem =
    'The server did not accept the session’s settings. Check prompt, voice and dialect.';
  const ending = withWords(failure(code, problem), message === '' ? code : message);
  const next = tryOther(course, { silent: false, ending }, { on: 'sameLine', at });
  return next.state.phase === 'closing'
    ? to(next.state, tell({ event: 'error', code, message, fatal: true }), ...next.effects)
    : next;
}

/** Deployed unified servers end the session when they get `session.update`, and at once. */
function mayBeOther({ course, since }: Configuring, at: number): boolean {
  return (
    course.dialect === 'legacy' && at - since <= rightAfterMs && otherDialect(course) !== undefined
  );
}

/** Closed by the server itself, and not because it is busy or the message was too large. */
function looksRefused(end: SocketEnd): boolean {
  return end.kind === 'closed' && [1000, 1002, 1007, 1008, 1011].includes(end.code);
}

function onSilence({ course }: Configuring): Transition {
  const ending = failure(
    'not_created',
    'The server let Parley in but never started the session. Try again; if it happens again, tell whoever runs the server.',
  );
  return tryOther(course, { silent: true, ending: withHint(ending, course) }, { on: 'newLine' });
}

/** A dialect that was given may simply be the wrong one, and servers in use do not say so. */
function withHint(ending: Ending, { forced, mode }: Course): Ending {
  if (!forced || mode === 'chat' || ending.by === 'network') return ending;
  const hint = 'It may speak the other dialect: let Parley find out.';
  return { ...ending, message: `${ending.message} ${hint}` };
}
