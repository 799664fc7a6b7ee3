import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { AssistantTurn, ChatAnswerState } from '../../shared/chat/chat-thread.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { AnswerEvent } from '../talk/session/chat-connection.ts';
import type { AnswerPlayer } from './answer-player.ts';

interface Deps {
  readonly clock: Clock;
  readonly player: AnswerPlayer | undefined;
  /** The most tokens that were asked for; else the server's own limit holds. */
  readonly limit: number | undefined;
  readonly emit: (patch: ChatPatch) => void;
  readonly speak: (audio: Float32Array) => void;
  readonly write: (change: Partial<AssistantTurn>) => void;
  /** What has come so far is worth keeping: a Parley that is killed loses no more than what came since. */
  readonly keep: () => void;
  /** Once, after the last change. */
  readonly over: () => void;
}

/** Long enough that a disk is not kept busy, short enough that nobody misses the rest. */
const keepEveryMs = 1500;

/** One answer from its question to its end, in small patches; or the rest of one that had stopped. */
export class AnswerStream {
  readonly id: string;
  readonly #deps: Deps;
  readonly #since: number;
  readonly #before: string;
  /** What of that stays before the text that comes. */
  #head: string | undefined;
  #text = '';
  #tokens: number | undefined;
  #firstMs: number | undefined;
  #contextTokens: number | undefined;
  #stopKeeping: (() => void) | undefined;

  constructor({ id, text }: AssistantTurn, deps: Deps) {
    this.id = id;
    this.#before = text;
    this.#deps = deps;
    this.#since = deps.clock.now();
  }

  readonly hear = (event: AnswerEvent): void => {
    switch (event.kind) {
      case 'text':
        this.#first();
        this.#add(event.text);
        return;
      case 'audio':
        this.#first();
        this.#deps.speak(event.audio);
        this.#deps.player?.audio(event.audio);
        return;
      case 'context':
        this.#contextTokens = event.tokens;
        return;
      case 'made':
        this.#tokens = event.tokens;
        return;
      case 'done':
        this.#first();
        this.#settle(event.text);
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

  stopped(): void {
    this.#end({ kind: 'stopped' });
  }

  #add(text: string): void {
    this.#head ??= headBefore(answerBase(this.#before), text);
    const from = this.#head.length + this.#text.length;
    const goesOn = this.#text !== '' || this.#head === this.#before;
    this.#text += text;
    const shown = this.#head + this.#text;
    this.#deps.write({ text: shown });
    this.#deps.emit(
      goesOn
        ? { kind: 'text', turn: this.id, from, text }
        : { kind: 'rewritten', turn: this.id, text: shown },
    );
    this.#deps.player?.text(text);
    this.#stopKeeping ??= this.#deps.clock.after(keepEveryMs, () => {
      this.#stopKeeping = undefined;
      this.#deps.keep();
    });
  }

  /** The whole text comes with the end; where pieces came before, it seldom brings anything new. */
  #settle(whole: string): void {
    if (whole === this.#text) return;
    if (whole.startsWith(this.#text)) {
      this.#add(whole.slice(this.#text.length));
      return;
    }
    this.#text = whole;
    const shown = headBefore(answerBase(this.#before), whole) + whole;
    this.#deps.write({ text: shown });
    this.#deps.emit({ kind: 'rewritten', turn: this.id, text: shown });
  }

  #first(): void {
    this.#firstMs ??= this.#deps.clock.now() - this.#since;
  }

  #end(state: ChatAnswerState): void {
    const stats = {
      firstMs: this.#firstMs,
      totalMs: this.#deps.clock.now() - this.#since,
      contextTokens: this.#contextTokens,
    };
    this.#stopKeeping?.();
    this.#deps.player?.end();
    this.#deps.write({ state, stats });
    this.#deps.emit({ kind: 'answer', turn: this.id, state, stats });
    this.#deps.over();
  }
}

/**
 * Where an answer that stopped in the middle is gone on with. A limit cuts within words, and no model
 * goes on with half of one: the last word is left to be said again.
 */
export function answerBase(text: string): string {
  const word = /(?<=\s)[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}]+$/u;
  const base = text.replace(word, '');
  return base.trim() === '' ? text : base;
}

/** What stands before the rest, with the space between them that models leave out at the beginning of an answer. */
export function headBefore(base: string, rest: string): string {
  if (/^\s/u.test(rest)) return base.replace(/[^\S\n]+$/u, '');
  const joins = /[.,;:!?…)\]"”’*`]$/u.test(base) && /^[\p{L}\p{N}]/u.test(rest);
  const spaced = !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(rest);
  return joins && spaced ? `${base} ` : base;
}

/** What servers call an answer that met its length limit. */
const cutReasons: ReadonlySet<string> = new Set([
  'length',
  'max_length',
  'max_tokens',
  'max_new_tokens',
  'max_output_tokens',
  'incomplete',
]);

/** What documents say of an answer whose length nobody limits. */
export const defaultAnswerTokens = 256;

const sentenceEnd = /[.!?。！？…:：)\]}）】"'”’`*|~]\s*$/u;

interface AnswerEnd {
  readonly reason: string;
  readonly text: string;
  /** How many tokens the server says it has made. */
  readonly tokens: number | undefined;
  /** What it was allowed. */
  readonly limit: number | undefined;
}

/**
 * Documents and deployed servers call every end `turn_end`; these also say how many tokens they made. All
 * that were allowed, and no end of a sentence: that is an answer which was cut.
 */
export function isCutShort({ reason, text, tokens, limit }: AnswerEnd): boolean {
  if (cutReasons.has(reason)) return true;
  const full = tokens !== undefined && tokens >= (limit ?? defaultAnswerTokens);
  return full && text.trim() !== '' && !sentenceEnd.test(text);
}
