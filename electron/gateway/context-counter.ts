import type { Metrics } from '../../shared/protocol/realtime-api.ts';
import { countTextTokens } from './context-window.ts';

/** Tokens of the template around the prompt, and those of the reference voice. */
const templateTokens = 20;
const voiceTokens = 60;
/** A coming step is assumed to add as many tokens as the largest one so far, and at least this many. */
const minGrowth = 40;
/**
 * While the model listens, the session ends this many steps before the context is full, so that no answer is cut. While
 * it speaks, the session ends one step before.
 */
const reservedSteps = 6;

/** Counts the tokens in the context of a session with a model server: as reported, or estimated if the report is missing or impossible. */
export class ContextCounter {
  readonly #limit: number;
  #tokens: number;
  #tokensBeforeStep: number;
  #growth = minGrowth;
  #isReported = false;

  constructor(limit: number, instructions: string | undefined) {
    this.#limit = limit;
    this.#tokens = templateTokens + voiceTokens + countTextTokens(instructions ?? '');
    this.#tokensBeforeStep = this.#tokens;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Sets the count that the server reports. Returns false, and ignores it, if it is missing or impossible. */
  report(tokens: number | undefined): boolean {
    if (tokens === undefined || !Number.isInteger(tokens)) return false;
    if (tokens <= 0 || tokens > 2 * this.#limit) return false;
    // The first report replaces the estimate. The difference between them does not count as growth.
    if (!this.#isReported) this.#tokensBeforeStep = tokens;
    this.#isReported = true;
    this.#tokens = tokens;
    return true;
  }

  estimate(addedTokens: number): void {
    this.#tokens += addedTokens;
  }

  /** Ends a step and returns whether the context will soon be full. */
  endStep(isSpeaking: boolean): boolean {
    this.#growth = Math.max(this.#growth, this.#tokens - this.#tokensBeforeStep);
    this.#tokensBeforeStep = this.#tokens;
    const steps = isSpeaking ? 1 : reservedSteps;
    return this.#tokens + steps * this.#growth >= this.#limit;
  }

  /** The server's metrics with the counted context and Parley's counters. */
  stamp(metrics?: Metrics, own: Readonly<Record<string, number>> = {}): Metrics {
    const tokens = this.#tokens;
    const values = { ...metrics?.values, kv_cache_length: tokens, ...own };
    return { ...metrics, contextTokens: tokens, values };
  }
}
