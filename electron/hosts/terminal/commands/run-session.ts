import {
  appError,
  type AppError,
  rootError,
  wireReason,
} from '../../../../shared/errors/app-error.ts';
import { answerErrors } from '../../../../shared/errors/server-error-codes.ts';
import type { Clock, Random } from '../../../../shared/ports/clock.ts';
import type { Socket, Sockets } from '../../../../shared/ports/sockets.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { WrittenSession } from '../../../talk/session/session.ts';
import type { OpenSessionDeps } from '../../../talk/sessions.ts';
import { exitCode, type ExitCode, type Terminal } from '../terminal-command.ts';

export type SessionClosedEvent = Extract<SessionEvent, { event: 'closed' }>;

export interface SessionRun<Opened> {
  readonly open: (deps: OpenSessionDeps) => Opened;
  readonly sockets: Sockets;
  /** The system clock, or the virtual clock of a replay. */
  readonly clock: Clock;
  readonly random?: Random | undefined;
  /** The server's address, under which its dialect is stored. */
  readonly server?: string | undefined;
  readonly onEvent: (event: SessionEvent) => void;
  /**
   * Called once, when `open` has returned, before the session is connected. The session may have emitted events before.
   */
  readonly onBegun: (session: Opened) => void;
}

export async function runSession<Opened extends WrittenSession>(
  terminal: Terminal,
  { open, sockets, clock, random, server, onEvent, onBegun }: SessionRun<Opened>,
): Promise<SessionClosedEvent> {
  const terminable = new TerminableSockets(sockets);
  let stopListening: (() => void) | undefined;
  try {
    return await new Promise<SessionClosedEvent>((resolve) => {
      let isOver = false;
      const emit = (event: SessionEvent): void => {
        // Events after a second Ctrl-C are ignored.
        if (isOver) return;
        isOver = event.event === 'closed';
        onEvent(event);
        if (event.event === 'closed') resolve(event);
      };
      const session = open({ sockets: terminable, clock, random, server, emit });
      onBegun(session);
      stopListening = onCtrlC(terminal, {
        end: () => session.end(),
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

export function exitCodeOf(ending: Pick<SessionClosedEvent, 'orderly' | 'error'>): ExitCode {
  return ending.orderly ? exitCode.done : failureCode(ending.error);
}

/** The exit code of a failure, which says whether the server could be reached. A failed answer means that it could. */
export function failureCode(error: AppError): ExitCode {
  if (Object.hasOwn(answerErrors, rootError(error).code)) return exitCode.failed;
  const reason = wireReason(error);
  return reason === 'unreachable' || reason === 'refused' ? exitCode.outOfReach : exitCode.failed;
}

/** The ending of a session that a second Ctrl-C terminated. */
export const closedByUser = {
  event: 'closed',
  error: appError('sessionCut'),
  by: 'client',
  orderly: false,
} as const;

/** Sockets whose newest connection a caller can terminate without asking the session. */
export class TerminableSockets implements Sockets {
  readonly #sockets: Sockets;
  #newest: Socket | undefined;

  constructor(sockets: Sockets) {
    this.#sockets = sockets;
  }

  readonly connect: Sockets['connect'] = (mode, listener) => {
    this.#newest = this.#sockets.connect(mode, listener);
    return this.#newest;
  };

  terminate(): void {
    this.#newest?.terminate();
  }
}

/** Waits for the next Ctrl-C while no session runs. */
export class NextInterrupt {
  readonly pressed: Promise<void>;
  forget: () => void = () => undefined;

  constructor({ onInterrupt }: Terminal) {
    this.pressed = new Promise((resolve) => {
      const stopListening = onInterrupt?.(() => {
        this.forget();
        resolve();
      });
      if (stopListening !== undefined) this.forget = stopListening;
    });
  }
}

interface CtrlCActions {
  readonly end: () => void;
  readonly terminate: () => void;
}

/** The first Ctrl-C ends the session by protocol; the second terminates the connection at once. */
export function onCtrlC(
  terminal: Terminal,
  { end, terminate }: CtrlCActions,
): (() => void) | undefined {
  let count = 0;
  return terminal.onInterrupt?.((signal) => {
    count += 1;
    if (count === 1) {
      const again = signal === 'SIGINT' ? ' again' : '';
      // Without a reader, the command ends silently, as filters do.
      if (signal !== 'SIGPIPE')
        terminal.err(`Ending the session; Ctrl-C${again} closes the connection at once.\n`);
      end();
    } else terminate();
  });
}
