import {
  inputRate,
  type Metrics,
  outputRate,
  soundTokens,
} from '../../shared/protocol/realtime-api.ts';
import type { TokenUsage } from '../../shared/protocol/token-usage.ts';
import { type GatewayOptions, isDeployedLegacy } from './gateway-options.ts';

const charactersPerToken = 4;

/** Counts the tokens in the model's context. */
export interface ContextWindow {
  readonly tokens: number;
  /**
   * Returns "full" if the server would end the session. Deployed unified servers and the C++ server discard half of
   * what follows the prompt instead.
   */
  readonly add: (tokens: number) => 'fits' | 'full';
  /** Sets the count, because each chat turn has the whole conversation. */
  readonly replace: (tokens: number) => 'fits' | 'full';
}

export function openContextWindow(
  options: Pick<GatewayOptions, 'contextTokens' | 'dialect' | 'profile'>,
  prompt: number,
): ContextWindow {
  const { contextTokens: limit, profile } = options;
  let tokens = prompt;

  function take(now: number): 'fits' | 'full' {
    tokens = now;
    if (tokens < limit) return 'fits';
    if (profile === 'documented' || isDeployedLegacy(options)) return 'full';
    tokens = Math.min(prompt, limit) + Math.floor(Math.max(0, limit - prompt) / 2);
    return 'fits';
  }

  return {
    get tokens() {
      return tokens;
    },
    add: (more) => take(tokens + more),
    replace: take,
  };
}

export const countTextTokens = (text: string): number =>
  Math.ceil(text.length / charactersPerToken);

export const countSoundTokens = (samples: number): number => soundTokens(samples / inputRate);

interface MeteredEnvironment {
  readonly context: Pick<ContextWindow, 'tokens'>;
  readonly options: Pick<GatewayOptions, 'stepMs' | 'profile'>;
}

/** Counts of one step, for its metrics. */
export interface StepStats {
  readonly textTokens?: number | undefined;
  /** Samples of generated sound. */
  readonly samples?: number | undefined;
  readonly visionSlices?: number | undefined;
  readonly visionTokens?: number | undefined;
  readonly usage?: StepUsage | undefined;
}

const speechTokensPerSecond = 25;

export const countSpeechTokens = (samples: number): number =>
  Math.ceil((samples / outputRate) * speechTokensPerSecond);

export function modelMetrics(
  { context: { tokens }, options: { stepMs, profile } }: MeteredEnvironment,
  step: StepStats,
): Metrics {
  const values = {
    kv_cache_length: tokens,
    wall_clock_ms: stepMs,
    ...(step.textTokens !== undefined && { n_tokens: step.textTokens }),
    ...(step.visionSlices !== undefined && { vision_slices: step.visionSlices }),
    ...(step.visionTokens !== undefined && { vision_tokens: step.visionTokens }),
    ...(profile === 'deployed' && stepCosts(step, stepMs)),
  };
  return { contextTokens: tokens, values, ...step.usage };
}

/** Splits the step's time as a deployed worker usually does. */
function stepCosts({ samples = 0 }: StepStats, stepMs: number) {
  const speaks = samples > 0;
  const prefill = stepMs * 0.25;
  const generate = stepMs - prefill;
  return {
    prefill_ms: prefill,
    generate_ms: generate,
    cost_llm_ms: speaks ? generate * 0.5 : generate,
    cost_tts_ms: speaks ? generate * 0.25 : 0,
    cost_token2wav_ms: speaks ? generate * 0.25 : 0,
    n_tts_tokens: countSpeechTokens(samples),
  };
}

type StepUsage = Pick<Metrics, 'usage' | 'stepUsage' | 'stepIndex'>;

/** Adds up a session's tokens, as newer servers report them. */
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

  /** The metrics of events that do not belong to a step. */
  get metrics(): Metrics {
    return { values: {}, usage: this.#sum };
  }

  add(stepUsage: TokenUsage, stepIndex: number): StepUsage {
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
