import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import type { OpenSessionDeps } from '../../../core/compose-sessions.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import type { Sockets } from '../../../ports/sockets.ts';
import type { SessionEvent } from '../../../session/session-event.ts';
import type { WrittenSession } from '../../../session/session.ts';
import type { Terminal } from '../terminal-command.ts';
import { closedByUser, TerminableSockets } from './terminable-sockets.ts';
import { exitCode } from '../exit-code.ts';
import type { ExitCode } from '../exit-code.ts';
import { onCtrlC } from './on-ctrl-c.ts';

export type SessionClosedEvent = Extract<SessionEvent, { event: 'closed' }>;

export interface SessionRun<Opened> {
  readonly open: (deps: OpenSessionDeps) => Opened;
  readonly sockets: Sockets;
  /** The machine's own, or the virtual one of a replay. */
  readonly clock: Clock;
  readonly random?: Random | undefined;
  /** The server's address, by which its dialect is remembered. */
  readonly server?: string | undefined;
  readonly onEvent: (event: SessionEvent) => void;
  /** Called once, when the session is there; it may have emitted something before. */
  readonly onBegun: (session: Opened) => void;
}

/** Runs one session to its end. */
export async function runSession<Opened extends WrittenSession>(
  terminal: Terminal,
  { open, sockets, onEvent, onBegun, ...deps }: SessionRun<Opened>,
): Promise<SessionClosedEvent> {
  const terminable = new TerminableSockets(sockets);
  let stopListening: (() => void) | undefined;
  try {
    return await new Promise<SessionClosedEvent>((resolve) => {
      let over = false;
      const emit = (event: SessionEvent): void => {
        // What a session still says after it was terminated by hand is of no interest.
        if (over) return;
        over = event.event === 'closed';
        onEvent(event);
        if (event.event === 'closed') resolve(event);
      };
      const session = open({ ...deps, sockets: terminable, emit });
      onBegun(session);
      stopListening = onCtrlC(terminal, {
        end: () => {
          session.end();
        },
        terminate: () => {
          emit(closedByUser);
          terminable.terminate();
        },
      });
    });
  } finally {
    stopListening?.();
  }
}

/** What to exit with after such an end. */
export function exitCodeOf(ending: Pick<SessionClosedEvent, 'orderly' | 'error'>): ExitCode {
  if (ending.orderly) return exitCode.done;
  const reason = reasonOf(ending.error);
  return reason === 'unreachable' || reason === 'refused' ? exitCode.outOfReach : exitCode.failed;
}
