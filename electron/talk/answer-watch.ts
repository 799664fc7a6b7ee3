import type { GenerationOptions } from '../../shared/protocol/client-event.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { OnlyListening } from '../../shared/talk/talk-stats.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { SessionEvent } from './session/session-event.ts';

/**
 * When a server is said to listen only: it heard so much speech since its last answer, so much quiet behind words in which it
 * could have answered, and so many steps came to nothing but listening.
 */
export const onlyListensAfter = { spokenSeconds: 6, quietSeconds: 4, steps: 6 } as const;

type OnlyListens = Extract<ConversationEvent, { event: 'onlyListens' }>;

/** Counts what a server was told since its last answer, and notices once a talk that it never answers. */
export class AnswerWatch {
  readonly #forcedSteps: number;
  #dialect: DialectName = 'unified';
  #forcedLeft = 0;
  #spokenSeconds = 0;
  #quietSeconds = 0;
  #steps = 0;
  #isTold = false;

  /** @param forcedSteps how many steps a session begins with in which the model may not speak */
  constructor(forcedSteps: number) {
    this.#forcedSteps = forcedSteps;
    this.#forcedLeft = forcedSteps;
  }

  get unanswered(): OnlyListening {
    return { spokenSeconds: this.#spokenSeconds, steps: this.#steps };
  }

  /**
   * Everything that a session emits, and what is to be said of it now.
   * @param tells whether anything may be said at the moment
   */
  onSessionEvent(event: SessionEvent, tells: boolean): OnlyListens | undefined {
    if (event.event === 'session') this.#dialect = event.dialect;
    if (event.event === 'state' && event.state === 'live') {
      this.#forcedLeft = this.#forcedSteps;
      this.#reset();
    }
    if (event.event === 'text' || event.event === 'audio') this.#reset();
    if (event.event === 'sent' && event.forceListen) this.#reset();
    if (event.event !== 'listen' || !this.#listened() || !tells) return undefined;
    this.#isTold = true;
    const spokenSeconds = Math.round(this.#spokenSeconds);
    return { event: 'onlyListens', dialect: this.#dialect, spokenSeconds, steps: this.#steps };
  }

  /** Counts sound of an open microphone that went to the server. */
  sent(seconds: number, isVoice: boolean): void {
    if (this.#forcedLeft > 0) return;
    if (isVoice) this.#spokenSeconds += seconds;
    else if (this.#spokenSeconds > 0) this.#quietSeconds += seconds;
  }

  /** The model answered, was told to listen, or is another, which has heard nothing of what was said. */
  #reset(): void {
    this.#spokenSeconds = 0;
    this.#quietSeconds = 0;
    this.#steps = 0;
  }

  /** A step of the model came to nothing but listening; whether that is to be said now. */
  #listened(): boolean {
    if (this.#forcedLeft > 0) this.#forcedLeft -= 1;
    else if (this.#spokenSeconds > 0) this.#steps += 1;
    return (
      !this.#isTold &&
      this.#spokenSeconds >= onlyListensAfter.spokenSeconds &&
      this.#quietSeconds >= onlyListensAfter.quietSeconds &&
      this.#steps >= onlyListensAfter.steps
    );
  }
}

/** How many steps a configuration has the model listen to at first. */
export function forcedStepsOf(generation: GenerationOptions | undefined): number {
  const asked = generation?.other?.['force_listen_count'] ?? generation?.forceListenCount;
  return typeof asked === 'number' && asked > 0 ? asked : 0;
}

/** How long an answer is waited for once the person has finished speaking. */
export const answerTimeoutMs = 10_000;
/** How long it must stay quiet after an answer, for the model may go on with another turn. */
export const quietAfterAnswerMs = 1500;

/** Whether what was said last has its answer: for whoever ends a talk when all is said. */
export class LastAnswer {
  #open = false;
  #answered: boolean;

  /** `answered` where nothing has been asked yet. */
  constructor(answered: boolean) {
    this.#answered = answered;
  }

  /** It is coming still. */
  get open(): boolean {
    return this.#open;
  }

  /** How long it must be quiet until nothing more is to be expected. */
  get patienceMs(): number {
    return this.#answered ? quietAfterAnswerMs : answerTimeoutMs;
  }

  hear(event: ConversationEvent): void {
    if (event.event === 'text' || event.event === 'audio') this.#open = true;
    const over = event.event === 'turnEnded' || (event.event === 'listen' && event.yields);
    if (!over) return;
    this.#answered ||= this.#open;
    this.#open = false;
  }

  /** What has come before is no answer to what is said now. */
  asked(): void {
    this.#answered = false;
  }
}
