import type { Clock } from '../../shared/ports/clock.ts';
import {
  contextTokens,
  type DialectName,
  type DuplexMode,
  effectiveSeconds,
  inputRate,
} from '../../shared/protocol/realtime-api.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import { usedWordTokens } from '../../shared/protocol/token-usage.ts';
import { type ContextSpent, type MemoryPart, memoryParts } from '../../shared/talk/talk-stats.ts';
import type { MemoryFacts } from '../../shared/vision/picture-memory.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';
import type { ConversationEvent } from './conversation-event.ts';
import { estimateTokens } from './policies/context-gauge.ts';

/** A rate measured over fewer seconds is too noisy. */
const minMeasuredSeconds = 20;
/** The documented rate, for servers that report none. */
const soundTokensPerSecond = contextTokens / effectiveSeconds.audio;

type Reports = Readonly<Record<MemoryPart, 'nothing' | 'reported' | 'estimated'>>;

/** Splits a session's context usage into pictures, words and sound. Estimates fill gaps; sound is the remainder. */
export class ContextSpending {
  readonly #pictureTokens: () => number;
  #spent: Readonly<Record<MemoryPart, number>> = zeroTokens;
  #reports: Reports = unreported;
  /** Estimated traffic since the last step; pictures are counted, not measured in tokens. */
  #since: Readonly<Record<MemoryPart, number>> = zeroTokens;
  #context: number | undefined;
  #promptWords = 0;
  #isPromptEstimated = false;
  /** Seconds of sent microphone sound; a paused talk sends none. */
  #heardSeconds = 0;

  constructor(pictureTokens: () => number) {
    this.#pictureTokens = pictureTokens;
  }

  get view(): ContextSpent {
    const guessed = memoryParts.filter(
      (part) =>
        this.#reports[part] === 'estimated' || (part === 'words' && this.#isPromptEstimated),
    );
    // Sound is the remainder, so it is no more exact than the other parts.
    const estimated = guessed.length > 0 ? [...new Set([...guessed, 'sound' as const])] : [];
    return { spent: this.#spent, estimated };
  }

  onEvent(event: ConversationEvent): void {
    if (event.event === 'session') this.#begin(event.promptLength);
    else if (event.event === 'sent') {
      this.#addSince('pictures', event.frames);
      const seconds = event.samples / inputRate;
      this.#heardSeconds += seconds;
      this.#addSince('sound', seconds * soundTokensPerSecond);
    } else if (event.event === 'text') this.#addSince('words', estimateTokens(event.text));
    else if (event.event === 'metrics') this.#step(event.metrics, event.roundTripMs !== undefined);
  }

  /** Tokens per second of sound and words; undefined until it was measured. */
  get restPerSecond(): number | undefined {
    if (this.#heardSeconds < minMeasuredSeconds || this.#reports.sound !== 'reported')
      return undefined;
    return (this.#spent.sound + this.#spent.words - this.#promptWords) / this.#heardSeconds;
  }

  #begin(promptTokens: number | undefined): void {
    const words = promptTokens ?? 0;
    this.#promptWords = words;
    this.#isPromptEstimated = false;
    this.#heardSeconds = 0;
    this.#spent = { ...zeroTokens, words };
    this.#reports = unreported;
    this.#since = zeroTokens;
    this.#context = promptTokens;
  }

  #step({ contextTokens: reportedTokens, figures, stepUsage }: Metrics, settles: boolean): void {
    // A server that does not report the instructions' tokens counts them with its first step.
    const whole =
      this.#context === undefined && reportedTokens !== undefined && reportedTokens > 0
        ? reportedTokens
        : undefined;
    const grown = this.#growth(reportedTokens);
    // Two events of one step report the same tokens twice.
    if (grown === 0 || (grown === undefined && !settles)) return;
    const room = grown ?? whole ?? Infinity;
    const reportedPictures = stepUsage?.inputVision ?? figures['vision_tokens'];
    const reportedWords = usedWordTokens(stepUsage) ?? figures['n_tokens'];
    const pictures = Math.min(room, this.#takePart('pictures', reportedPictures));
    const words = Math.min(room - pictures, this.#takePart('words', reportedWords));
    const rest = grown === undefined ? stepUsage?.inputAudio : grown - pictures - words;
    const sound = this.#takePart('sound', rest);
    if (whole !== undefined) this.#estimatePrompt(whole - pictures - words - sound);
    const before = this.#spent;
    this.#spent = {
      pictures: before.pictures + pictures,
      sound: before.sound + sound,
      words: before.words + words,
    };
    this.#since = zeroTokens;
  }

  #estimatePrompt(tokens: number): void {
    this.#promptWords = Math.max(0, tokens);
    this.#isPromptEstimated = true;
    this.#spent = { ...this.#spent, words: this.#promptWords };
  }

  /** Returns undefined if the server does not count, or pruned something. */
  #growth(tokens: number | undefined): number | undefined {
    if (tokens === undefined || !(tokens > 0)) return undefined;
    const before = this.#context;
    this.#context = tokens;
    return before === undefined || tokens < before ? undefined : tokens - before;
  }

  /** Tokens that the server reports for this step, or else those counted here. */
  #takePart(part: MemoryPart, reported: number | undefined): number {
    const counted = this.#since[part] * (part === 'pictures' ? this.#pictureTokens() : 1);
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

  #addSince(part: MemoryPart, much: number): void {
    this.#since = { ...this.#since, [part]: this.#since[part] + much };
  }
}

const zeroTokens = { pictures: 0, sound: 0, words: 0 } as const;
const unreported: Reports = { pictures: 'nothing', sound: 'nothing', words: 'nothing' };

export interface TalkVisionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly framePipeline: Pick<FramePipeline, 'setMemory' | 'budget' | 'frameTokens'>;
  readonly memory: (dialect: DialectName) => MemoryFacts;
}

/** Feeds the frame budget with a talk's memory usage and its floor. */
export class TalkVision {
  readonly spending: ContextSpending;
  readonly #mode: DuplexMode;
  readonly #deps: TalkVisionDeps;

  constructor(mode: DuplexMode, deps: TalkVisionDeps) {
    this.#mode = mode;
    this.#deps = deps;
    this.spending = new ContextSpending(() => deps.framePipeline.frameTokens);
  }

  onEvent(event: ConversationEvent): void {
    this.spending.onEvent(event);
    if (this.#mode !== 'video') return;
    const { framePipeline, clock, memory } = this.#deps;
    const { budget } = framePipeline;
    const now = clock.now();
    if (event.event === 'session') {
      framePipeline.setMemory(memory(event.dialect));
      budget.begin(now, event.promptLength);
    } else if (event.event === 'floor') {
      const { floor } = event;
      budget.setAttention(now, {
        personSpeaks: floor === 'you' || floor === 'both',
        answerSounds: floor === 'parley' || floor === 'both',
      });
    } else if (event.event === 'limits') {
      const { tokens, pruning } = event.left;
      budget.setMemoryRoom(now, {
        tokensLeft: pruning ? undefined : tokens,
        restPerSecond: this.spending.restPerSecond,
      });
    }
  }
}
