import { appError } from '../../../../shared/errors/app-error.ts';
import { reasonOf } from '../../../../shared/errors/session-reasons.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Clock } from '../../../ports/clock.ts';
import { endedByUser } from '../../../conversation/client-endings.ts';
import { createReplay } from '../../../recorder/recording/replay-tape.ts';
import type { Tape } from '../../../recorder/recording/tape.ts';
import type { Terminal } from '../terminal-command.ts';
import { runSession } from './run-session.ts';
import type { SessionClosedEvent } from './run-session.ts';
import type { Session } from '../../../session/session.ts';
import type { ReplayedAnswer } from './replayed-answer.ts';

interface Played {
  readonly tape: Tape;
  readonly clock: Clock;
  readonly answer: ReplayedAnswer;
}

const nothing = (): void => undefined;

/** Between two sessions there is none that could be ended. */
function untilCtrlC({ onInterrupt }: Terminal) {
  let pressed = nothing;
  const enough = new Promise<'enough'>((resolve) => {
    pressed = () => {
      resolve('enough');
    };
  });
  return { enough, stopListening: onInterrupt?.(pressed) };
}

/** Plays a tape to a session, and where that was lost and reconnected, to those that followed. */
export async function playTape(
  parley: Pick<Parley, 'openSession' | 'serverCodec'>,
  terminal: Terminal,
  { tape, clock, answer }: Played,
): Promise<SessionClosedEvent> {
  const { mode, settings, chunkMs } = tape.header;
  let { dialect } = tape.header;
  const seconds = Math.round((tape.lines.at(-1)?.at ?? 0) / 1000);
  /** Where the tape was cut, it is the tape that ends, and no session that was lost. */
  const endingOf = (ending: SessionClosedEvent): SessionClosedEvent => {
    if (!tape.cut || ending.orderly) return ending;
    const code = answer.inTurn ? 'tapeEndsInSentence' : 'tapeEndsEarly';
    const error = appError(code, { seconds });
    return { event: 'closed', error, by: 'client', orderly: true };
  };
  let waited = nothing;
  const replayed = createReplay(tape, {
    clock,
    codec: parley.serverCodec,
    waiting: () => {
      waited();
    },
  });
  for (;;) {
    const ending = await runSession(terminal, {
      open: (deps) => parley.openSession({ mode, settings, dialect, chunkMs }, deps),
      sockets: replayed.sockets,
      clock,
      // The same tape gives the same events each time.
      random: () => 0.5,
      onEvent: (event) => {
        // The talk remembered it as well.
        if (event.event === 'session') ({ dialect } = event);
        answer.hear(event);
      },
      onBegun: (session: Session) => {
        replayed.begin(session);
      },
    });
    if (!replayed.hasMoreConnections() || reasonOf(ending.error) === 'cut')
      return answer.ended(endingOf(ending));
    answer.lost(ending);
    const wanted = new Promise<true>((resolve) => {
      waited = () => {
        resolve(true);
      };
    });
    const { enough, stopListening } = untilCtrlC(terminal);
    const next = await Promise.race([wanted, replayed.done, enough]);
    stopListening?.();
    if (next !== true) return answer.ended(next === 'enough' ? endedByUser : endingOf(ending));
  }
}
