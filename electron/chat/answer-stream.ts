import type { ChatPatch, AssistantTurn, ChatAnswerState } from '../../shared/chat/chat-thread.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { AnswerEvent } from '../talk/session/chat-connection.ts';
import type { AnswerPlayer } from './answer-player.ts';

interface Deps {
  readonly clock: Clock;
  readonly player: AnswerPlayer | undefined;
  /** The requested token limit; without one the server's limit applies. */
  readonly limit: number | undefined;
  readonly emit: (patch: ChatPatch) => void;
  readonly speak: (audio: Float32Array) => void;
  readonly update: (change: Partial<AssistantTurn>) => void;
  /** Saves the text so far, so that a crash loses only what came since. */
  readonly save: () => void;
  /** Called once, after the last change. */
  readonly onEnded: () => void;
}

/** A compromise between the number of disk writes and the loss after a crash. */
const saveEveryMs = 1500;

/** Receives one answer, or the continuation of a stopped one, and emits it in small patches. */
export class AnswerStream {
  readonly id: string;
  readonly #deps: Deps;
  readonly #startedAt: number;
  readonly #textBefore: string;
  readonly #base: string;
  /** The earlier text that stays in front of a continuation. */
  #head: string | undefined;
  #text = '';
  #tokens: number | undefined;
  #firstMs: number | undefined;
  #contextTokens: number | undefined;
  readonly #saveTimer: Timer;

  constructor({ id, text, calls }: AssistantTurn, deps: Deps) {
    this.id = id;
    this.#textBefore = text;
    this.#base = continuationBase(text, calls);
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    this.#saveTimer = new Timer(deps.clock);
  }

  readonly receive = (event: AnswerEvent): void => {
    switch (event.kind) {
      case 'text':
        this.#noteFirstEvent();
        this.#add(event.text);
        return;
      case 'audio':
        this.#noteFirstEvent();
        this.#deps.speak(event.audio);
        this.#deps.player?.audio(this.id, event.audio);
        return;
      case 'context':
        this.#contextTokens = event.tokens;
        return;
      case 'generated':
        this.#tokens = event.tokens;
        return;
      case 'done':
        this.#noteFirstEvent();
        this.#takeWholeText(event.text);
        this.#end({
          kind: 'done',
          cutShort: isCutShort({
            reason: event.reason,
            text: this.#text,
            tokens: this.#tokens,
            limit: this.#deps.limit,
          }),
        });
        return;
      case 'failed':
        this.#end({ kind: 'failed', error: event.error });
    }
  };

  stop(): void {
    this.#end({ kind: 'stopped' });
  }

  #add(text: string): void {
    this.#head ??= textBeforeContinuation(this.#base, text);
    const from = this.#head.length + this.#text.length;
    const continues = this.#text !== '' || this.#head === this.#textBefore;
    this.#text += text;
    const shown = this.#head + this.#text;
    this.#deps.update({ text: shown });
    this.#deps.emit(
      continues
        ? { kind: 'text', turn: this.id, from, text }
        : { kind: 'rewritten', turn: this.id, text: shown },
    );
    this.#deps.player?.addText(this.id, text);
    this.#saveTimer.setIfIdle(saveEveryMs, () => this.#deps.save());
  }

  /** Applies the whole text of the end event. It seldom differs from the pieces. */
  #takeWholeText(wholeText: string): void {
    if (wholeText === this.#text) return;
    if (wholeText.startsWith(this.#text)) {
      this.#add(wholeText.slice(this.#text.length));
      return;
    }
    this.#text = wholeText;
    const shown = textBeforeContinuation(this.#base, wholeText) + wholeText;
    this.#deps.update({ text: shown });
    this.#deps.emit({ kind: 'rewritten', turn: this.id, text: shown });
  }

  #noteFirstEvent(): void {
    this.#firstMs ??= this.#deps.clock.now() - this.#startedAt;
  }

  #end(state: ChatAnswerState): void {
    const stats = {
      firstMs: this.#firstMs,
      totalMs: this.#deps.clock.now() - this.#startedAt,
      contextTokens: this.#contextTokens,
    };
    this.#saveTimer.stop();
    this.#deps.player?.end(this.id);
    this.#deps.update({ state, stats });
    this.#deps.emit({ kind: 'answer', turn: this.id, state, stats });
    this.#deps.onEnded();
  }
}

/**
 * The part of a stopped answer to continue from. A limit can cut within a word and models do not continue half
 * a word, so a last word after a space, without punctuation, is dropped, unless a call of a tool follows it.
 */
export function continuationBase(text: string, calls: AssistantTurn['calls'] = []): string {
  const word = /(?<=\s)[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}]+$/u;
  const base = text.replace(word, '');
  return base.trim() === '' || base.length < (calls.at(-1)?.at ?? 0) ? text : base;
}

/** The text before a continuation, with the space that models omit at the start of an answer. */
export function textBeforeContinuation(base: string, rest: string): string {
  if (/^\s/u.test(rest)) return base.replace(/[^\S\n]+$/u, '');
  const endsClause = /[.,;:!?…)\]"”’*`]$/u.test(base) && /^[\p{L}\p{N}]/u.test(rest);
  const needsSpace = !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(rest);
  return endsClause && needsSpace ? `${base} ` : base;
}

/** Reasons that servers report for an answer that reached its length limit. */
const lengthLimitReasons: ReadonlySet<string> = new Set([
  'length',
  'max_length',
  'max_tokens',
  'max_new_tokens',
  'max_output_tokens',
  'incomplete',
]);

/** The documented limit of an answer if the client sets none. */
export const defaultAnswerTokens = 256;

const sentenceEnd = /[.!?。！？…:：)\]}）】"'”’`*|~]\s*$/u;

interface AnswerEnd {
  readonly reason: string;
  readonly text: string;
  /** Generated tokens, as the server reports them. */
  readonly tokens: number | undefined;
  /** The requested token limit. */
  readonly limit: number | undefined;
}

/**
 * Whether the token limit cut the answer. Documented and deployed servers report `turn_end` either way, but
 * they report token counts: an answer that used all its tokens and ends within a sentence was cut.
 */
export function isCutShort({ reason, text, tokens, limit }: AnswerEnd): boolean {
  if (lengthLimitReasons.has(reason)) return true;
  const isFull = tokens !== undefined && tokens >= (limit ?? defaultAnswerTokens);
  return isFull && text.trim() !== '' && !sentenceEnd.test(text);
}
