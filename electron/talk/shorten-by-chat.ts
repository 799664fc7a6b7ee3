import type { Clock } from '../../shared/ports/clock.ts';
import { defaultChunkMs, type DialectName } from '../../shared/protocol/realtime-api.ts';
import type { ConversationDeps } from './conversation-options.ts';
import { ChatConnection, type ChatQuestion } from './session/chat-connection.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { WrittenSession } from './session/session.ts';

interface Deps {
  readonly clock: Clock;
  readonly openSession: ConversationDeps['openSession'];
}

/** More than is asked for by half; what is longer is not what was asked for. */
const maxNewTokens = 300;
const maxLetters = 4000;

/** Asks the chat of the talk's server, which only the unified dialect has. */
export function shortenByChat(
  dialect: 'auto' | DialectName,
  { clock, openSession }: Deps,
): ConversationDeps['shorten'] {
  if (dialect === 'legacy') return undefined;
  return ({ system, request, maxMs }, done) =>
    askInPassing(
      {
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: request },
        ],
        streaming: true,
        maxNewTokens,
        thinking: false,
        speech: { enabled: false },
      },
      {
        clock,
        openSession: (emit) =>
          openSession({ mode: 'chat', settings: {}, dialect, chunkMs: defaultChunkMs }, emit),
      },
      { maxMs, maxLetters },
      done,
    );
}

interface AskInPassingDeps {
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
  { clock, openSession }: AskInPassingDeps,
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
  const stopWaiting = clock.after(maxMs, () => finish(undefined));
  connection.ask(question, (event) => {
    if (event.kind === 'text') {
      letters += event.text.length;
      if (letters > maxLetters) finish(undefined);
    } else if (event.kind === 'failed') finish(undefined);
    else if (event.kind === 'done') finish(event.text.length > maxLetters ? undefined : event.text);
  });
  return callOff;
}
