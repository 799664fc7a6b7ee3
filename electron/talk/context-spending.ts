import type { Clock } from '../../shared/ports/clock.ts';
import {
  contextTokens,
  type DialectName,
  type DuplexMode,
  effectiveSeconds,
  inputRate,
} from '../../shared/protocol/realtime-api.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import { wordTokensOf } from '../../shared/protocol/token-usage.ts';
import { type ContextSpent, type MemoryPart, memoryParts } from '../../shared/talk/talk-stats.ts';
import type { MemoryFacts } from '../../shared/vision/picture-memory.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';
import type { ConversationEvent } from './conversation-event.ts';
import { estimateTokens } from './policies/context-gauge.ts';

/** A measured rate of a few seconds says nothing. */
const minMeasuredSeconds = 20;
/** As documents have it, where a server does not count. */
const soundTokensPerSecond = contextTokens / effectiveSeconds.audio;

type Reports = Readonly<Record<MemoryPart, 'nothing' | 'reported' | 'estimated'>>;

/**
 * What a session has spent of the model's memory, and on what: what grew from step to step is shared out by what the server
 * says of pictures and words, and the rest is sound. What it does not say is reckoned.
 */
export class ContextSpending {
  /** What a picture costs by all that is known. */
  readonly #pictureTokens: () => number;
  #spent: Readonly<Record<MemoryPart, number>> = nothing;
  #reports: Reports = unreported;
  /** What went and came since the last step, as far as it can be counted here; of pictures how many. */
  #since: Readonly<Record<MemoryPart, number>> = nothing;
  #context: number | undefined;
  #promptWords = 0;
  #promptReckoned = false;
  /** Seconds of the microphone's sound that went: nothing goes while a talk is paused. */
  #heardSeconds = 0;

  constructor(pictureTokens: () => number) {
    this.#pictureTokens = pictureTokens;
  }

  get view(): ContextSpent {
    const guessed = memoryParts.filter(
      (part) => this.#reports[part] === 'estimated' || (part === 'words' && this.#promptReckoned),
    );
    // Sound is the rest, and no more exact than what it is the rest of.
    const estimated = guessed.length > 0 ? [...new Set([...guessed, 'sound' as const])] : [];
    return { spent: this.#spent, estimated };
  }

  hear(event: ConversationEvent): void {
    if (event.event === 'session') this.#begin(event.promptLength);
    else if (event.event === 'sent') {
      this.#wait('pictures', event.frames);
      const seconds = event.samples / inputRate;
      this.#heardSeconds += seconds;
      this.#wait('sound', seconds * soundTokensPerSecond);
    } else if (event.event === 'text') this.#wait('words', estimateTokens(event.text));
    else if (event.event === 'metrics') this.#step(event.metrics, event.roundTripMs !== undefined);
  }

  /** Sound and words in tokens a second, once that can be told. */
  get restPerSecond(): number | undefined {
    if (this.#heardSeconds < minMeasuredSeconds || this.#reports.sound !== 'reported')
      return undefined;
    return (this.#spent.sound + this.#spent.words - this.#promptWords) / this.#heardSeconds;
  }

  #begin(promptTokens: number | undefined): void {
    const words = promptTokens ?? 0;
    this.#promptWords = words;
    this.#promptReckoned = false;
    this.#heardSeconds = 0;
    this.#spent = { ...nothing, words };
    this.#reports = unreported;
    this.#since = nothing;
    this.#context = promptTokens;
  }

  #step({ contextTokens: told, figures, stepUsage }: Metrics, settles: boolean): void {
    // A server that does not say what the instructions took counts them with its first step.
    const whole = this.#context === undefined && told !== undefined && told > 0 ? told : undefined;
    const grown = this.#grownTo(told);
    // Two events of one step tell the same twice.
    if (grown === 0 || (grown === undefined && !settles)) return;
    const room = grown ?? whole ?? Infinity;
    const toldPictures = stepUsage?.inputVision ?? figures['vision_tokens'];
    const toldWords = wordTokensOf(stepUsage) ?? figures['n_tokens'];
    const pictures = Math.min(room, this.#part('pictures', toldPictures));
    const words = Math.min(room - pictures, this.#part('words', toldWords));
    const rest = grown === undefined ? stepUsage?.inputAudio : grown - pictures - words;
    const sound = this.#part('sound', rest);
    if (whole !== undefined) this.#reckonPrompt(whole - pictures - words - sound);
    const before = this.#spent;
    this.#spent = {
      pictures: before.pictures + pictures,
      sound: before.sound + sound,
      words: before.words + words,
    };
    this.#since = nothing;
  }

  #reckonPrompt(tokens: number): void {
    this.#promptWords = Math.max(0, tokens);
    this.#promptReckoned = true;
    this.#spent = { ...this.#spent, words: this.#promptWords };
  }

  /** By how much; nothing where the server does not count, or has let go of something. */
  #grownTo(tokens: number | undefined): number | undefined {
    if (tokens === undefined || !(tokens > 0)) return undefined;
    const before = this.#context;
    this.#context = tokens;
    return before === undefined || tokens < before ? undefined : tokens - before;
  }

  /** What the server says of this step, or what was counted here. */
  #part(part: MemoryPart, told: number | undefined): number {
    const counted = this.#since[part] * (part === 'pictures' ? this.#pictureTokens() : 1);
    const isTold = told !== undefined && told >= 0;
    const before = this.#reports[part];
    if (isTold || before === 'nothing') {
      const report = isTold ? 'reported' : 'estimated';
      if (isTold || counted > 0) this.#reports = { ...this.#reports, [part]: report };
    }
    if (isTold) return told;
    // Who tells it at all leaves it out of a step that had none; sound there is in each.
    return before === 'reported' && part !== 'sound' ? 0 : counted;
  }

  #wait(part: MemoryPart, much: number): void {
    this.#since = { ...this.#since, [part]: this.#since[part] + much };
  }
}

const nothing = { pictures: 0, sound: 0, words: 0 } as const;
const unreported: Reports = { pictures: 'nothing', sound: 'nothing', words: 'nothing' };

export interface TalkVisionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly framePipeline: Pick<FramePipeline, 'setMemory' | 'budget' | 'frameTokens'>;
  /** What is known of this server's memory, once its session's dialect is. */
  readonly memory: (dialect: DialectName) => MemoryFacts;
}

/** What a talk spends of the model's memory, and how it goes, as far as that says what a picture is worth. */
export class TalkVision {
  readonly spending: ContextSpending;
  readonly #mode: DuplexMode;
  readonly #deps: TalkVisionDeps;

  constructor(mode: DuplexMode, deps: TalkVisionDeps) {
    this.#mode = mode;
    this.#deps = deps;
    this.spending = new ContextSpending(() => deps.framePipeline.frameTokens);
  }

  /** Everything that the talk emits. */
  hear(event: ConversationEvent): void {
    this.spending.hear(event);
    if (this.#mode !== 'video') return;
    const { framePipeline, clock, memory } = this.#deps;
    const { budget } = framePipeline;
    const now = clock.now();
    if (event.event === 'session') {
      framePipeline.setMemory(memory(event.dialect));
      budget.begin(now, event.promptLength);
    } else if (event.event === 'floor') {
      const { floor } = event;
      budget.attend(now, {
        personSpeaks: floor === 'you' || floor === 'both',
        answerSounds: floor === 'parley' || floor === 'both',
      });
    } else if (event.event === 'limits') {
      const { tokens, pruning } = event.left;
      budget.measured(now, {
        tokensLeft: pruning ? undefined : tokens,
        restPerSecond: this.spending.restPerSecond,
      });
    }
  }
}
