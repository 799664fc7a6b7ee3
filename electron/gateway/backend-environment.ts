import type { Clock } from '../../shared/ports/clock.ts';
import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type {
  MalformedEvent,
  Metrics,
  ServerEvent,
  UnknownEvent,
} from '../../shared/protocol/server-event.ts';
import type { BackendCodec } from './backend-codec.ts';
import type { Backend, BackendStat } from './backend.ts';
import { countTextTokens } from './gateway-model.ts';
import type { GatewayOptions } from './gateway-options.ts';

/** Dependencies of one session's exchange with a model server. */
export interface BackendEnvironment {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly settings: SessionSettings;
  readonly clock: Clock;
  readonly codec: BackendCodec;
  readonly context: BackendContext;
  /** Sends a frame to the model server. */
  readonly send: (frame: string) => void;
  /** Sends an event to the client. */
  readonly emit: (event: Exclude<ServerEvent, UnknownEvent | MalformedEvent>) => void;
  readonly newResponseId: () => string;
  readonly record: (figure: BackendStat) => void;
  readonly onStep?: Backend['onStep'] | undefined;
  /** The model's context is nearly full. */
  readonly onContextFull: () => void;
  /** The server has stopped answering. */
  readonly onSilent: () => void;
}

/** Tokens of the marks around prompt and reference voice. */
const templateTokens = 20;
const voiceTokens = 60;
/** A step grows the context by at least this much when the model speaks. */
const minGrowth = 40;
/** While the model listens, the session ends this many steps before the window slides, so no answer is cut. */
const spareSteps = 6;

/** Counts the model's context by the server's figures, or estimates it where they are missing or impossible. */
export class BackendContext {
  readonly #limit: number;
  #tokens: number;
  #before: number;
  #growth = minGrowth;
  #isReported = false;

  constructor(limit: number, instructions: string | undefined) {
    this.#limit = limit;
    this.#tokens = templateTokens + voiceTokens + countTextTokens(instructions ?? '');
    this.#before = this.#tokens;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Returns false for a figure that cannot be true. */
  report(tokens: number | undefined): boolean {
    if (tokens === undefined || !Number.isInteger(tokens)) return false;
    if (tokens <= 0 || tokens > 2 * this.#limit) return false;
    // The first figure corrects our estimate, which says nothing about growth.
    if (!this.#isReported) this.#before = tokens;
    this.#isReported = true;
    this.#tokens = tokens;
    return true;
  }

  estimate(added: number): void {
    this.#tokens += added;
  }

  /** Ends a step and returns whether the window would slide soon. */
  endStep(isSpeaking: boolean): boolean {
    this.#growth = Math.max(this.#growth, this.#tokens - this.#before);
    this.#before = this.#tokens;
    const steps = isSpeaking ? 1 : spareSteps;
    return this.#tokens + steps * this.#growth >= this.#limit;
  }

  /** The server's metrics with the counted context and our own figures. */
  stamp(metrics?: Metrics, own: Readonly<Record<string, number>> = {}): Metrics {
    const tokens = this.#tokens;
    const figures = { ...metrics?.figures, kv_cache_length: tokens, ...own };
    return { ...metrics, contextTokens: tokens, figures };
  }
}
