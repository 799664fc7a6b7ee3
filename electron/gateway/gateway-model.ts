import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import {
  inputRate,
  maxSlicesPerFrame,
  type Mode,
  outputRate,
  soundTokens,
} from '../../shared/protocol/realtime-api.ts';
import type {
  MalformedEvent,
  Metrics,
  ServerEvent,
  UnknownEvent,
} from '../../shared/protocol/server-event.ts';
import type { TokenUsage } from '../../shared/protocol/token-usage.ts';
import type { FaultPlan, GatewayDeps, GatewayOptions } from './gateway-options.ts';
import type { SentenceRecogniser } from './sentence-recogniser.ts';
import { isDeployedLegacy } from './server-profile.ts';

/** What a gateway's connections have in common. */
export interface SharedGatewayDeps extends GatewayDeps {
  readonly recogniser: SentenceRecogniser;
}

/** What the model of one session has around it. */
export interface ModelEnvironment {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
  readonly settings: SessionSettings;
  readonly context: ContextWindow;
  /** What the session has used; nothing where the gateway does not tell it. */
  readonly usage?: SessionUsage | undefined;
  readonly faults: FaultPlan;
  readonly emit: (event: Exclude<ServerEvent, UnknownEvent | MalformedEvent>) => void;
  /** Lets the step's faults have their way, and answers if they leave anything to answer. */
  readonly answer: (step: number, say: () => void) => void;
  readonly sessionId: string;
  readonly newResponseId: () => string;
  readonly contextFull: () => void;
}

export interface RequestProblem {
  readonly code: string;
  readonly message: string;
}

/** Works what the client sends once the session is live. */
export interface GatewayModel<Ask> {
  /** Takes one ask, or says why it is none. */
  readonly take: (ask: Ask) => RequestProblem | undefined;
  readonly end: () => void;
}

/** Deployed servers echo the client's own id; documented ones need not, and ours do only where it is wished. */
export function echoedInputId(
  environment: ModelEnvironment,
  ask: { readonly inputId?: string | undefined },
) {
  const { echoInputIds, profile } = environment.options;
  return (echoInputIds ?? profile === 'deployed') ? ask.inputId : undefined;
}

/** A problem with a number of slices, if there is one. */
export function sliceProblem(slices: number | undefined): RequestProblem | undefined {
  if (slices === undefined) return undefined;
  if (Number.isInteger(slices) && slices >= 1 && slices <= maxSlicesPerFrame) return undefined;
  return {
    code: 'invalid_payload',
    message: `max_slice_nums must be from 1 to ${maxSlicesPerFrame}`,
  };
}

const charactersPerToken = 4;

/** The tokens of the model's context. */
interface ContextWindow {
  readonly tokens: number;
  /** Where the documents end the session, deployed unified servers forget their oldest half instead. */
  readonly add: (tokens: number) => 'fits' | 'full';
  /** Chat says everything anew in every turn. */
  readonly restart: (tokens: number) => 'fits' | 'full';
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
    restart: take,
  };
}

export const countTextTokens = (text: string): number =>
  Math.ceil(text.length / charactersPerToken);

export const countSoundTokens = (samples: number): number => soundTokens(samples / inputRate);

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

type UsedInStep = Pick<Metrics, 'usage' | 'stepUsage' | 'stepIndex'>;

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
