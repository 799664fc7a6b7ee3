import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';
import { askInPassing } from '../chat/ask-in-passing.ts';
import type { ConversationDeps } from '../conversation/conversation.ts';
import type { Clock } from '../ports/clock.ts';

interface Deps {
  readonly clock: Clock;
  readonly openSession: ConversationDeps['openSession'];
}

/** What servers take for granted. */
const stepMs = 1000;
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
          openSession({ mode: 'chat', settings: {}, dialect, chunkMs: stepMs }, emit),
      },
      { maxMs, maxLetters },
      done,
    );
}
