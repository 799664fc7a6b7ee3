import type { Parley } from '../../compose.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Sockets } from '../../ports/sockets.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { Session, SessionOptions } from '../../session/session.ts';
import type { Terminal } from './command.ts';
import { cutByHand, Lines } from './cut-lines.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { onCtrlC } from './on-ctrl-c.ts';

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

/** Runs one session to its end. */
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
      stopListening = onCtrlC(terminal, {
        end: session.end,
        cut: () => {
          tell(cutByHand);
          lines.cut();
        },
      });
    });
  } finally {
    stopListening?.();
  }
}

/** What to exit with after such an end. */
export function exitCodeOf(ending: Pick<Ending, 'orderly' | 'reason'>): ExitCode {
  if (ending.orderly) return exitCode.done;
  const never = ending.reason === 'unreachable' || ending.reason === 'refused';
  return never ? exitCode.outOfReach : exitCode.failed;
}
