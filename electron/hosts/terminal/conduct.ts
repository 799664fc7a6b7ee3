import type { Parley } from '../../compose.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Socket, Sockets } from '../../ports/sockets.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { Session, SessionOptions } from '../../session/session.ts';
import type { Terminal } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

export type Ending = Extract<SessionEvent, { event: 'closed' }>;

export interface Conduct {
  readonly options: SessionOptions;
  readonly sockets: Sockets;
  /** The machine's own, or the virtual one of a replay. */
  readonly clock: Clock;
  readonly random?: Random | undefined;
  /** The server's address, by which its dialect is remembered. */
  readonly server?: string | undefined;
  readonly hear: (event: SessionEvent) => void;
  /** Called once, when the session is there; it may have told something before. */
  readonly begun: (session: Session) => void;
}

/**
 * Runs one session to its end. The first Ctrl-C ends it politely; the second cuts the line, because
 * whoever presses it again does not want to wait.
 */
export async function conduct(
  parley: Pick<Parley, 'openSession'>,
  terminal: Terminal,
  { options, sockets, hear, begun, ...ways }: Conduct,
): Promise<Ending> {
  const lines = new Lines(sockets);
  let stopListening: (() => void) | undefined;
  try {
    return await new Promise<Ending>((resolve) => {
      let over = false;
      const tell = (event: SessionEvent): void => {
        // What a session still says after it was cut by hand is of no interest.
        if (over) return;
        over = event.event === 'closed';
        hear(event);
        if (event.event === 'closed') resolve(event);
      };
      const session = parley.openSession(options, { ...ways, sockets: lines, tell });
      begun(session);
      let told = 0;
      stopListening = terminal.onInterrupt?.(() => {
        told += 1;
        if (told === 1) {
          terminal.err('Ending the session; Ctrl-C again cuts it.\n');
          session.end();
        } else {
          tell(cutByHand);
          lines.cut();
        }
      });
    });
  } finally {
    stopListening?.();
  }
}

const cutByHand: Ending = {
  event: 'closed',
  reason: 'cut',
  by: 'client',
  message: 'You cut the session.',
  orderly: false,
};

/** What to exit with after such an end. */
export function exitCodeOf(ending: Ending): ExitCode {
  if (ending.orderly) return exitCode.done;
  const never = ending.reason === 'unreachable' || ending.reason === 'refused';
  return never ? exitCode.outOfReach : exitCode.failed;
}

/** Knows the newest connection, so that it can be cut over the session's head. */
class Lines implements Sockets {
  readonly #sockets: Sockets;
  #newest: Socket | undefined;

  constructor(sockets: Sockets) {
    this.#sockets = sockets;
  }

  readonly connect: Sockets['connect'] = (mode, listener) => {
    this.#newest = this.#sockets.connect(mode, listener);
    return this.#newest;
  };

  cut(): void {
    this.#newest?.terminate();
  }
}
