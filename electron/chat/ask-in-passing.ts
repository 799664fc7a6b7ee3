import type { Clock } from '../ports/clock.ts';
import type { WrittenSession } from '../session/session.ts';
import type { SessionEvent } from '../session/session-event.ts';
import { ChatConnection } from './chat-connection.ts';
import type { ChatQuestion } from './chat-connection.ts';

interface Deps {
  readonly clock: Clock;
  /** A session in chat mode. */
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
}

/** Beyond these nobody waits, nor reads on. */
interface Bounds {
  readonly maxMs: number;
  readonly maxLetters: number;
}

/**
 * One question that nothing hangs on, over a session of its own: without an answer where the server has no place free at
 * once, fails, is late or does not cease. `done` is called once, or never where it was called off by what is handed back.
 */
export function askInPassing(
  question: ChatQuestion,
  { clock, openSession }: Deps,
  { maxMs, maxLetters }: Bounds,
  done: (answer: string | undefined) => void,
): () => void {
  let over = false;
  let letters = 0;
  const connection = new ChatConnection({
    clock,
    openSession,
    emit: ({ phase }) => {
      if (phase === 'queued') finish(undefined);
    },
  });
  const callOff = (): void => {
    over = true;
    stopWaiting();
    void connection.close();
  };
  const finish = (answer: string | undefined): void => {
    if (over) return;
    callOff();
    done(answer);
  };
  const stopWaiting = clock.after(maxMs, () => {
    finish(undefined);
  });
  connection.ask(question, (event) => {
    if (event.kind === 'text') {
      letters += event.text.length;
      if (letters > maxLetters) finish(undefined);
    } else if (event.kind === 'failed') finish(undefined);
    else if (event.kind === 'done') finish(event.text.length > maxLetters ? undefined : event.text);
  });
  return callOff;
}
