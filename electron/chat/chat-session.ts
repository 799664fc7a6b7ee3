import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { ChatThread, Part } from '../../shared/chat/chat-thread.ts';
import type { Clock, Random, WallClock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { WrittenSession } from '../session/session.ts';
import type { AnswerPlayer } from './answer-player.ts';
import type { MediaCache } from './media-cache.ts';

export interface ChatSessionOptions {
  /** To go on with; a new one is begun where there is none. */
  readonly conversation?: ChatThread | undefined;
  readonly options: ChatOptions;
}

export interface ChatSessionDeps {
  /** A session in chat mode that connects at once. */
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly media: MediaCache;
  readonly emit: (patch: ChatPatch) => void;
  /** The conversation as it is worth keeping: after a question, an answer's end, and every edit. */
  readonly changed: (conversation: ChatThread) => void;
  /** Samples of a stored voice, 16 kHz mono. */
  readonly voice?: ((id: string) => Float32Array | undefined) | undefined;
  /** What the model is told where a conversation has no text of its own for that. */
  readonly manner?: (() => string) | undefined;
  /** How the model is asked to go on with an answer that stopped in the middle. */
  readonly goOnPrompt?: (() => string) | undefined;
  /** Where there is none, answers are not heard, but their speech is kept. */
  readonly player?: AnswerPlayer | undefined;
}

/**
 * One written conversation. What cannot be done is answered with a sentence and changes nothing; what
 * happens to an answer later stands in its turn.
 */
export interface ChatSession {
  readonly conversation: ChatThread;
  readonly options: ChatOptions;
  /** An answer is on its way; until it has ended or is stopped nothing else is asked or edited. */
  readonly busy: boolean;
  readonly send: (parts: readonly Part[]) => Outcome<undefined>;
  /** Ends the answer; what has come of it is stored. */
  readonly stop: () => void;
  /** Asks anew: for an answer in its place, or for a question that has none. What follows is set aside. */
  readonly retry: (turn: string) => Outcome<undefined>;
  /** Has the newest answer gone on with where it stopped; what comes is added to it. */
  readonly goOn: (turn: string) => Outcome<undefined>;
  /** Asks something else in a question's place, and sets aside what was there and what followed. */
  readonly edit: (turn: string, parts: readonly Part[]) => Outcome<undefined>;
  /** A question with its answer, or an answer alone. */
  readonly remove: (turn: string) => Outcome<undefined>;
  /** Brings back what was set aside. */
  readonly choose: (branch: string) => Outcome<undefined>;
  readonly rename: (title: string) => void;
  readonly setOptions: (options: ChatOptions) => void;
  /** Plays an answer's speech again. */
  readonly play: (turn: string) => Outcome<undefined>;
  readonly silence: () => void;
  /** Stops whatever goes on; resolves when the connection is closed. */
  readonly close: () => Promise<void>;
}

/** An id that no other has: 80 bits of dice, fit for a file's name everywhere. */
export function makeChatId(random: Random): string {
  let id = '';
  while (id.length < 16) id += Math.floor(random() * 32).toString(32);
  return id;
}
