import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { ChatAnswerState, AssistantTurn } from '../../shared/chat/chat-thread.ts';
import type { Clock } from '../ports/clock.ts';
import type { AnswerPlayer } from './answer-player.ts';
import type { AnswerEvent } from './chat-connection.ts';

interface Deps {
  readonly clock: Clock;
  readonly player: AnswerPlayer | undefined;
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

/** What servers call an answer that met its length limit. */
const cutReasons: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_new_tokens']);

/** One answer from its question to its end, in small patches. */
export class AnswerStream {
  readonly id: string;
  readonly #deps: Deps;
  readonly #since: number;
  #text = '';
  #firstMs: number | undefined;
  #contextTokens: number | undefined;
  #stopKeeping: (() => void) | undefined;

  constructor({ id }: AssistantTurn, deps: Deps) {
    this.id = id;
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
      case 'done':
        this.#first();
        this.#settle(event.text);
        this.#end({ kind: 'done', cutShort: cutReasons.has(event.reason) });
        return;
      case 'failed':
        this.#end({ kind: 'failed', error: event.error });
    }
  };

  stopped(): void {
    this.#end({ kind: 'stopped' });
  }

  #add(text: string): void {
    this.#deps.emit({ kind: 'text', turn: this.id, from: this.#text.length, text });
    this.#text += text;
    this.#deps.write({ text: this.#text });
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
    this.#deps.write({ text: whole });
    this.#deps.emit({ kind: 'rewritten', turn: this.id, text: whole });
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
