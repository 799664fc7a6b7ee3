import { setTimeout as wait } from 'node:timers/promises';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { GatewayMessage } from '../bench/conversation/gateway.ts';
import type { SoundTape } from '../bench/conversation/sound-tape.ts';

/** An answer (a continuous tone) as the server sent it and as the speaker played it. */
export interface HeardAnswer {
  readonly sentMs: number;
  readonly heardMs: number;
  /** From the first bytes to the first sound. */
  readonly delayMs: number;
  readonly gapsMs: readonly number[];
}

const quietMs = 600;
const pollMs = 50;
const timeoutMs = 20_000;

/** Compares each answer that the server sent with the speaker's output. */
export class AnswerWatch {
  readonly answers: HeardAnswer[] = [];
  readonly #speaker: SoundTape;
  #samples = 0;
  #firstAt: number | undefined;
  #over = false;

  constructor(speaker: SoundTape) {
    this.#speaker = speaker;
  }

  heard(message: GatewayMessage): void {
    if (message.kind === 'output') {
      this.#firstAt ??= message.at;
      this.#samples += message.samples;
    }
    if (message.kind === 'listen' && this.#firstAt !== undefined) this.#over = true;
  }

  /** Waits for the next answer to end; undefined if none ends in time, or none is heard. */
  async next(): Promise<HeardAnswer | undefined> {
    const until = performance.now() + timeoutMs;
    while (!this.#over || this.#sounds) {
      if (performance.now() > until) break;
      await wait(pollMs);
    }
    const firstAt = this.#firstAt;
    const sentMs = (this.#samples * 1000) / outputRate;
    const complete = this.#over;
    [this.#firstAt, this.#samples, this.#over] = [undefined, 0, false];
    if (firstAt === undefined || !complete) return undefined;
    const first = this.#speaker.firstLoud(this.#speaker.sampleAt(firstAt));
    const last = first === undefined ? undefined : this.#speaker.lastLoud(first);
    if (first === undefined || last === undefined) return undefined;
    const answer = {
      sentMs,
      heardMs: ((last - first + 1) * 1000) / outputRate,
      delayMs: this.#speaker.timeOf(first) - firstAt,
      gapsMs: this.#speaker.gapsMs(first),
    };
    this.answers.push(answer);
    return answer;
  }

  get #sounds(): boolean {
    const since = this.#speaker.count - (quietMs * outputRate) / 1000;
    return this.#speaker.lastLoud(Math.max(0, since)) !== undefined;
  }
}
