import type { GenerationOptions, DialectName } from '../../shared/protocol/realtime-api.ts';
import type { OnlyListening } from '../../shared/talk/talk-stats.ts';
import type { ConversationEvent } from './conversation-options.ts';
import type { SessionEvent } from './session/session-event.ts';

/**
 * A server only listens if all three were reached since its last answer: the user's speech, quiet after it, and steps without
 * output.
 */
export const onlyListensAfter = { spokenSeconds: 6, quietSeconds: 4, steps: 6 } as const;

type OnlyListens = Extract<ConversationEvent, { event: 'onlyListens' }>;

/** Reports, at most once per talk, that the server listens and does not answer. */
export class ListenOnlyDetector {
  readonly #forcedSteps: number;
  #dialect: DialectName = 'unified';
  #remainingForcedSteps = 0;
  #spokenSeconds = 0;
  #quietSeconds = 0;
  #steps = 0;
  #hasReported = false;

  /** @param forcedSteps steps at the start of a session in which the model may not speak */
  constructor(forcedSteps: number) {
    this.#forcedSteps = forcedSteps;
    this.#remainingForcedSteps = forcedSteps;
  }

  get unanswered(): OnlyListening {
    return { spokenSeconds: this.#spokenSeconds, steps: this.#steps };
  }

  /** @param canReport false while the user is muted or a tape plays */
  onSessionEvent(event: SessionEvent, canReport: boolean): OnlyListens | undefined {
    if (event.event === 'session') this.#dialect = event.dialect;
    if (event.event === 'state' && event.state === 'live') {
      this.#remainingForcedSteps = this.#forcedSteps;
      this.#reset();
    }
    if (event.event === 'text' || event.event === 'audio') this.#reset();
    if (event.event === 'sent' && event.forceListen) this.#reset();
    if (event.event !== 'listen' || !this.#countListen() || !canReport) return undefined;
    this.#hasReported = true;
    const spokenSeconds = Math.round(this.#spokenSeconds);
    return { event: 'onlyListens', dialect: this.#dialect, spokenSeconds, steps: this.#steps };
  }

  /** Counts sound of an open microphone that went to the server. */
  onSent(seconds: number, isVoice: boolean): void {
    if (this.#remainingForcedSteps > 0) return;
    if (isVoice) this.#spokenSeconds += seconds;
    else if (this.#spokenSeconds > 0) this.#quietSeconds += seconds;
  }

  /** The model answered, was forced to listen, or was replaced by one that has heard nothing yet. */
  #reset(): void {
    this.#spokenSeconds = 0;
    this.#quietSeconds = 0;
    this.#steps = 0;
  }

  /** Counts a step in which the model only listened. Returns whether all limits are reached. */
  #countListen(): boolean {
    if (this.#remainingForcedSteps > 0) this.#remainingForcedSteps -= 1;
    else if (this.#spokenSeconds > 0) this.#steps += 1;
    return (
      !this.#hasReported &&
      this.#spokenSeconds >= onlyListensAfter.spokenSeconds &&
      this.#quietSeconds >= onlyListensAfter.quietSeconds &&
      this.#steps >= onlyListensAfter.steps
    );
  }
}

export function forcedListenSteps(generation: GenerationOptions | undefined): number {
  const count = generation?.other?.['force_listen_count'] ?? generation?.forceListenCount;
  return typeof count === 'number' && count > 0 ? count : 0;
}
