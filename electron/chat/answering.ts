import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { AnswerState, AssistantTurn } from '../../shared/chat/conversation.ts';
import type { Clock } from '../ports/clock.ts';
import type { AnswerPlayer } from './answer-player.ts';
import type { AnswerNews } from './line-to-server.ts';

interface AnsweringNeeds {
  readonly clock: Clock;
  readonly player: AnswerPlayer | undefined;
  readonly tell: (patch: ChatPatch) => void;
  readonly speak: (audio: Float32Array) => void;
  readonly write: (change: Partial<AssistantTurn>) => void;
  /** Once, after the last change. */
  readonly over: () => void;
}

/** What servers call an answer that met its length limit. */
const cutReasons: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_new_tokens']);

/** One answer from its question to its end, in small patches. */
export class Answering {
  readonly id: string;
  readonly #needs: AnsweringNeeds;
  readonly #since: number;
  #text = '';
  #firstMs: number | undefined;
  #contextTokens: number | undefined;

  constructor({ id }: AssistantTurn, needs: AnsweringNeeds) {
    this.id = id;
    this.#needs = needs;
    this.#since = needs.clock.now();
  }

  readonly hear = (news: AnswerNews): void => {
    switch (news.kind) {
      case 'text':
        this.#first();
        this.#add(news.text);
        return;
      case 'audio':
        this.#first();
        this.#needs.speak(news.audio);
        this.#needs.player?.audio(news.audio);
        return;
      case 'context':
        this.#contextTokens = news.tokens;
        return;
      case 'done':
        this.#first();
        this.#settle(news.text);
        this.#end({ kind: 'done', cutShort: cutReasons.has(news.reason) });
        return;
      case 'failed':
        this.#end({ kind: 'failed', problem: news.problem, facts: news.facts });
    }
  };

  stopped(): void {
    this.#end({ kind: 'stopped' });
  }

  #add(text: string): void {
    this.#needs.tell({ kind: 'text', turn: this.id, from: this.#text.length, text });
    this.#text += text;
    this.#needs.write({ text: this.#text });
    this.#needs.player?.text(text);
  }

  /** The whole text comes with the end; where pieces came before, it seldom brings anything new. */
  #settle(whole: string): void {
    if (whole === this.#text) return;
    if (whole.startsWith(this.#text)) {
      this.#add(whole.slice(this.#text.length));
      return;
    }
    this.#text = whole;
    this.#needs.write({ text: whole });
    this.#needs.tell({ kind: 'rewritten', turn: this.id, text: whole });
  }

  #first(): void {
    this.#firstMs ??= this.#needs.clock.now() - this.#since;
  }

  #end(state: AnswerState): void {
    const stats = {
      firstMs: this.#firstMs,
      totalMs: this.#needs.clock.now() - this.#since,
      contextTokens: this.#contextTokens,
    };
    this.#needs.player?.end();
    this.#needs.write({ state, stats });
    this.#needs.tell({ kind: 'answer', turn: this.id, state, stats });
    this.#needs.over();
  }
}
