import type { Metrics } from '../../shared/protocol/server-event.ts';
import type { TokenUsage } from '../../shared/protocol/token-usage.ts';

export type UsedInStep = Pick<Metrics, 'usage' | 'stepUsage' | 'stepIndex'>;

/** Adds up what a session has used, in the words of newer servers. */
export class SessionUsage {
  #sum: Required<TokenUsage>;

  constructor(promptTokens: number) {
    this.#sum = {
      inputText: promptTokens,
      inputAudio: 0,
      inputVision: 0,
      outputText: 0,
      outputAudio: 0,
    };
  }

  /** For an event that is about no step. */
  get metrics(): Metrics {
    return { figures: {}, usage: this.#sum };
  }

  add(stepUsage: TokenUsage, stepIndex: number): UsedInStep {
    const plus = (part: keyof TokenUsage): number =>
      (this.#sum[part] ?? 0) + (stepUsage[part] ?? 0);
    this.#sum = {
      inputText: plus('inputText'),
      inputAudio: plus('inputAudio'),
      inputVision: plus('inputVision'),
      outputText: plus('outputText'),
      outputAudio: plus('outputAudio'),
    };
    return { usage: this.#sum, stepUsage, stepIndex };
  }
}
