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

/** Tokens and characters, well above the requested length; a longer answer is not a summary. */
const maxNewTokens = 300;
const maxLength = 4000;

/** Asks the chat of the talk's server to shorten a transcript; the legacy dialect has no such chat. */
export function shortenByChat(
  dialect: 'auto' | DialectName,
  { clock, openSession }: Deps,
): ConversationDeps['shorten'] {
  if (dialect === 'legacy') return undefined;
  return ({ system, request, maxMs }, done) =>
    askOptionalQuestion(
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
      { maxMs, maxLength },
      done,
    );
}

interface OptionalQuestionDeps {
  readonly clock: Clock;
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
}

interface Bounds {
  readonly maxMs: number;
  readonly maxLength: number;
}

/**
 * Asks one question over a separate session. Calls `done` once, without an answer if the server is
 * busy or fails, unless cancelled.
 */
export function askOptionalQuestion(
  question: ChatQuestion,
  { clock, openSession }: OptionalQuestionDeps,
  { maxMs, maxLength }: Bounds,
  done: (answer: string | undefined) => void,
): () => void {
  let over = false;
  let length = 0;
  const connection = new ChatConnection({
    clock,
    openSession,
    emit: ({ phase }) => {
      if (phase === 'queued') finish(undefined);
    },
  });
  const cancel = (): void => {
    over = true;
    stopWaiting();
    void connection.close();
  };
  const finish = (answer: string | undefined): void => {
    if (over) return;
    cancel();
    done(answer);
  };
  const stopWaiting = clock.after(maxMs, () => finish(undefined));
  connection.ask(question, (event) => {
    if (event.kind === 'text') {
      length += event.text.length;
      if (length > maxLength) finish(undefined);
    } else if (event.kind === 'failed') finish(undefined);
    else if (event.kind === 'done') finish(event.text.length > maxLength ? undefined : event.text);
  });
  return cancel;
}
