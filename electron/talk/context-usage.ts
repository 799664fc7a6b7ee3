import {
  contextTokens,
  effectiveSeconds,
  inputRate,
  type Metrics,
} from '../../shared/protocol/realtime-api.ts';
import { usedWordTokens } from '../../shared/protocol/token-usage.ts';
import { type ContextSpent, type ContextPart, contextParts } from '../../shared/talk/talk-stats.ts';
import type { ConversationEvent } from './conversation-options.ts';
import { estimateTokens } from '../../shared/text.ts';

/** A rate measured over fewer seconds is too noisy. */
const minMeasuredSeconds = 20;
/** The documented rate, for servers that report none. */
const soundTokensPerSecond = contextTokens / effectiveSeconds.audio;

type Reports = Readonly<Record<ContextPart, 'nothing' | 'reported' | 'estimated'>>;

/**
 * Splits a session's context usage into pictures, words and sound. Estimates replace values that the server does not report;
 * sound is the remainder.
 */
export class ContextUsage {
  readonly #pictureTokens: () => number;
  #spent: Readonly<Record<ContextPart, number>> = zeroTokens;
  #reports: Reports = unreported;
  /** Estimated tokens since the last step; for pictures, their number. */
  #sinceStep: Readonly<Record<ContextPart, number>> = zeroTokens;
  #context: number | undefined;
  #promptTokens = 0;
  #isPromptEstimated = false;
  /** Seconds of sent microphone sound; a paused talk sends none. */
  #heardSeconds = 0;

  constructor(pictureTokens: () => number) {
    this.#pictureTokens = pictureTokens;
  }

  get view(): ContextSpent {
    const estimatedParts = contextParts.filter(
      (part) =>
        this.#reports[part] === 'estimated' || (part === 'words' && this.#isPromptEstimated),
    );
    // Sound is the remainder, so it is no more exact than the other parts.
    const estimated =
      estimatedParts.length > 0 ? [...new Set([...estimatedParts, 'sound' as const])] : [];
    return { spent: this.#spent, estimated };
  }

  onEvent(event: ConversationEvent): void {
    if (event.event === 'session') this.#begin(event.promptLength);
    else if (event.event === 'sent') {
      this.#addEstimate('pictures', event.frames);
      const seconds = event.samples / inputRate;
      this.#heardSeconds += seconds;
      this.#addEstimate('sound', seconds * soundTokensPerSecond);
    } else if (event.event === 'text') this.#addEstimate('words', estimateTokens(event.text));
    else if (event.event === 'metrics')
      this.#countStep(event.metrics, event.roundTripMs !== undefined);
  }

  /** Tokens of sound and words per second of microphone sound; undefined until the server has reported enough. */
  get otherTokensPerSecond(): number | undefined {
    if (this.#heardSeconds < minMeasuredSeconds || this.#reports.sound !== 'reported')
      return undefined;
    return (this.#spent.sound + this.#spent.words - this.#promptTokens) / this.#heardSeconds;
  }

  #begin(promptTokens: number | undefined): void {
    const words = promptTokens ?? 0;
    this.#promptTokens = words;
    this.#isPromptEstimated = false;
    this.#heardSeconds = 0;
    this.#spent = { ...zeroTokens, words };
    this.#reports = unreported;
    this.#sinceStep = zeroTokens;
    this.#context = promptTokens;
  }

  #countStep(
    { contextTokens: reportedTokens, values, stepUsage }: Metrics,
    settles: boolean,
  ): void {
    // If the server did not report the instructions' tokens, its first step includes them.
    const whole =
      this.#context === undefined && reportedTokens !== undefined && reportedTokens > 0
        ? reportedTokens
        : undefined;
    const growth = this.#countGrowth(reportedTokens);
    // Two events of one step report the same tokens twice.
    if (growth === 0 || (growth === undefined && !settles)) return;
    const availableTokens = growth ?? whole ?? Infinity;
    const reportedPictures = stepUsage?.inputVision ?? values['vision_tokens'];
    const reportedWords = usedWordTokens(stepUsage) ?? values['n_tokens'];
    const pictures = Math.min(availableTokens, this.#tokensOf('pictures', reportedPictures));
    const words = Math.min(availableTokens - pictures, this.#tokensOf('words', reportedWords));
    const rest = growth === undefined ? stepUsage?.inputAudio : growth - pictures - words;
    const sound = this.#tokensOf('sound', rest);
    if (whole !== undefined) this.#estimatePrompt(whole - pictures - words - sound);
    const before = this.#spent;
    this.#spent = {
      pictures: before.pictures + pictures,
      sound: before.sound + sound,
      words: before.words + words,
    };
    this.#sinceStep = zeroTokens;
  }

  #estimatePrompt(tokens: number): void {
    this.#promptTokens = Math.max(0, tokens);
    this.#isPromptEstimated = true;
    this.#spent = { ...this.#spent, words: this.#promptTokens };
  }

  /** Tokens added since the last count; undefined for the first count if the tokens of the
   * instructions are unknown, and if the server reports no tokens or pruned some. */
  #countGrowth(tokens: number | undefined): number | undefined {
    if (tokens === undefined || !(tokens > 0)) return undefined;
    const before = this.#context;
    this.#context = tokens;
    return before === undefined || tokens < before ? undefined : tokens - before;
  }

  /** Tokens of a part in this step: as the server reports them, otherwise as estimated. */
  #tokensOf(part: ContextPart, reported: number | undefined): number {
    const counted = this.#sinceStep[part] * (part === 'pictures' ? this.#pictureTokens() : 1);
    const isReported = reported !== undefined && reported >= 0;
    const before = this.#reports[part];
    if (isReported || before === 'nothing') {
      const report = isReported ? 'reported' : 'estimated';
      if (isReported || counted > 0) this.#reports = { ...this.#reports, [part]: report };
    }
    if (isReported) return reported;
    // A server that reports a part omits it from steps without it; every step has sound.
    return before === 'reported' && part !== 'sound' ? 0 : counted;
  }

  #addEstimate(part: ContextPart, amount: number): void {
    this.#sinceStep = { ...this.#sinceStep, [part]: this.#sinceStep[part] + amount };
  }
}

const zeroTokens = { pictures: 0, sound: 0, words: 0 } as const;
const unreported: Reports = { pictures: 'nothing', sound: 'nothing', words: 'nothing' };
