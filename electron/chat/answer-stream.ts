import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { ChatAnswerState, AssistantTurn } from '../../shared/chat/chat-thread.ts';
import type { Clock } from '../ports/clock.ts';
import type { AnswerPlayer } from './answer-player.ts';
import { answerBase, headBefore } from './answer-joint.ts';
import type { AnswerEvent } from './chat-connection.ts';
import { isCutShort } from './is-cut-short.ts';

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
