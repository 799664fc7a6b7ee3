import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { defaultChunkMs, type DialectName } from '../../shared/protocol/realtime-api.ts';
import {
  cleanShortened,
  type ShortenedTranscript,
  transcriptToShorten,
  type TranscriptTurn,
} from './policies/carry-over.ts';
import { dueSeconds } from './policies/hand-over-policy.ts';
import { ChatConnection } from './session/chat-connection.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { SessionOptions, WrittenSession } from './session/session.ts';

interface ShortenRequest {
  readonly system: string;
  readonly request: string;
  readonly maxMs: number;
}

/**
 * Asks the talk's server for a shorter text, if it has a free worker. `done` gets undefined on
 * failure. Returns a cancel function.
 */
export type Shorten = (
  request: ShortenRequest,
  done: (answer: string | undefined) => void,
) => () => void;

interface Deps {
  readonly clock: Clock;
  readonly messages: CoreMessages['carryOver'];
  readonly turns: () => readonly TranscriptTurn[];
  /** Limit of the whole transcript. */
  readonly maxTokens: () => number;
  /** Undefined if the server has no chat. */
  readonly shorten: Shorten | undefined;
}

const maxMs = 18_000;
/** The worker is released this long before the next session needs one. */
const releaseSeconds = 2;
/** The request begins at most this long before the hand-over is due, because an earlier summary would miss too many turns. */
const windowSeconds = 90;
/** Minimum age of the session at the request. */
const minLivedSeconds = 10;
/** `update` runs with every microphone block; the transcript is measured only this often. */
const checkIntervalMs = 1000;
/** After this many failures in a row the server is not asked again in this talk. */
const maxFailures = 3;
/** Share of the carry-over's tokens that a summary may take. */
const summaryShare = 1 / 4;

/** Has the model shorten the older part of the transcript, once per session and well before its end. */
export class TranscriptShortener {
  readonly #deps: Deps;
  #shortened: ShortenedTranscript | undefined;
  #cancelRequest: (() => void) | undefined;
  #hasAsked = false;
  #failures = 0;
  /** Undefined before the first session; only the unified dialect has a chat. */
  #dialect: DialectName | undefined;
  #checkedAt = -Infinity;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get shortened(): ShortenedTranscript | undefined {
    return this.#shortened;
  }

  onSession(dialect: DialectName): void {
    this.#dialect = dialect;
    this.#hasAsked = false;
  }

  update(secondsLeft: number, livedSeconds: number): void {
    const { clock, turns, maxTokens, shorten } = this.#deps;
    const isAble = this.#dialect === 'unified' && !this.#hasAsked && this.#failures < maxFailures;
    if (shorten === undefined || !isAble || !isDue(secondsLeft, livedSeconds)) return;
    const now = clock.now();
    if (now - this.#checkedAt < checkIntervalMs) return;
    this.#checkedAt = now;
    const transcript = transcriptToShorten(turns(), this.#shortened, maxTokens());
    if (transcript === undefined) return;
    this.#hasAsked = true;
    const { shortenSystem: system, shorten: request } = this.#deps.messages;
    this.#cancelRequest = shorten(
      { system, request: `${request}\n\n${transcript.text}`, maxMs },
      (answer) => {
        this.#cancelRequest = undefined;
        const text = answer && cleanShortened(answer, transcript, maxTokens() * summaryShare);
        this.#failures = text ? 0 : this.#failures + 1;
        if (text) this.#shortened = { upTo: transcript.upTo, text };
      },
    );
  }

  /** Cancels the request, because its worker is needed or the talk is over. */
  cancel(): void {
    this.#cancelRequest?.();
    this.#cancelRequest = undefined;
  }

  /** The conversation continues without its transcript. */
  forget(): void {
    this.cancel();
    this.#shortened = undefined;
  }
}

/** Whether the summary can arrive before the hand-over is due, and would not miss too many turns. */
function isDue(secondsLeft: number, livedSeconds: number): boolean {
  const due = Math.min(dueSeconds, (secondsLeft + livedSeconds) / 2);
  const maxSecondsLeft = due + windowSeconds;
  const minSecondsLeft = due + maxMs / 1000 + releaseSeconds;
  return (
    livedSeconds >= minLivedSeconds &&
    secondsLeft <= maxSecondsLeft &&
    secondsLeft >= minSecondsLeft
  );
}

/** Limits of the answer. They are well above the requested length, because a longer answer is not a summary. */
const maxNewTokens = 300;
const maxLength = 4000;

/** Asks the chat of the talk's server to shorten a transcript; the legacy dialect has no such chat. */
export function shortenByChat(
  dialect: 'auto' | DialectName,
  {
    clock,
    openSession,
  }: {
    readonly clock: Clock;
    readonly openSession: (
      options: SessionOptions,
      emit: (event: SessionEvent) => void,
    ) => WrittenSession;
  },
): Shorten | undefined {
  if (dialect === 'legacy') return undefined;
  return ({ system, request, maxMs }, done) =>
    askOptionalQuestion(
      { system, request },
      {
        clock,
        openSession: (emit) =>
          openSession({ mode: 'chat', settings: {}, dialect, chunkMs: defaultChunkMs }, emit),
      },
      { maxNewTokens, maxMs, maxLength },
      done,
    );
}

interface OptionalQuestionDeps {
  readonly clock: Clock;
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
}

interface Bounds {
  readonly maxNewTokens: number;
  readonly maxMs: number;
  readonly maxLength: number;
}

/**
 * Asks one question over a separate session. Calls `done` once, with undefined if the server is busy, fails or
 * is too slow, or if the answer is too long; never after a cancel. Returns the cancel function.
 */
export function askOptionalQuestion(
  { system, request }: Pick<ShortenRequest, 'system' | 'request'>,
  { clock, openSession }: OptionalQuestionDeps,
  { maxNewTokens, maxMs, maxLength }: Bounds,
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
  const question = {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: request },
    ],
    streaming: true,
    maxNewTokens,
    thinking: false,
    speech: { enabled: false },
  } as const;
  connection.ask(question, (event) => {
    if (event.kind === 'text') {
      length += event.text.length;
      if (length > maxLength) finish(undefined);
    } else if (event.kind === 'failed') finish(undefined);
    else if (event.kind === 'done') finish(event.text.length > maxLength ? undefined : event.text);
  });
  return cancel;
}
