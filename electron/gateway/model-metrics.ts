import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import type { ModelEnvironment } from './gateway-model.ts';
import type { UsedInStep } from './session-usage.ts';

/** What a step came to, as far as its figures tell of it. */
export interface StepStats {
  readonly textTokens?: number | undefined;
  /** Of the sound that it made. */
  readonly samples?: number | undefined;
  readonly visionSlices?: number | undefined;
  readonly visionTokens?: number | undefined;
  readonly used?: UsedInStep | undefined;
}

/** Tokens of speech that make a second of sound. */
const speechTokensPerSecond = 25;

export const countSpeechTokens = (samples: number): number =>
  Math.ceil((samples / outputRate) * speechTokensPerSecond);

export function modelMetrics(environment: ModelEnvironment, step: StepStats): Metrics {
  const { tokens } = environment.context;
  const { stepMs, profile } = environment.options;
  const figures = {
    kv_cache_length: tokens,
    wall_clock_ms: stepMs,
    ...(step.textTokens !== undefined && { n_tokens: step.textTokens }),
    ...(step.visionSlices !== undefined && { vision_slices: step.visionSlices }),
    ...(step.visionTokens !== undefined && { vision_tokens: step.visionTokens }),
    ...(profile === 'deployed' && costsOf(step, stepMs)),
  };
  return { contextTokens: tokens, figures, ...step.used };
}

/** Where a deployed worker says its time went; ours is shared out as theirs usually is. */
function costsOf({ samples = 0 }: StepStats, stepMs: number) {
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
