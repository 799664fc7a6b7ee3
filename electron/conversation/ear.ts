import { inputRate } from '../../shared/protocol/limits.ts';
import type { OverlapOptions } from '../../shared/sound/overlap-options.ts';
import { OverlapWatch } from '../audio/overlap.ts';
import type { OverlapNews } from '../audio/overlap.ts';
import type { TalkGate } from '../audio/talk-gate.ts';
import type { Clock } from '../ports/clock.ts';
import type { Delay } from './delays.ts';
import { VoiceLevel } from './voice-level.ts';

interface Needs {
  readonly clock: Clock;
  readonly gate: TalkGate;
  readonly latencyMs: (() => number) | undefined;
  /** What the gate lets through, or the silence for it; good until the call returns. */
  readonly send: (part: Float32Array) => void;
  readonly delay: (delay: Delay) => void;
  readonly overlap: OverlapOptions;
  /** A sound of the person's over the answer. */
  readonly overlapped: (news: OverlapNews) => void;
}

/** The person's voice on its way to the server. */
export class Ear {
  readonly #needs: Needs;
  readonly #voice = new VoiceLevel(inputRate);
  readonly #overlap: OverlapWatch;
  /** When the block came that is being handed on. */
  #since: number | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#overlap = new OverlapWatch(needs.overlap);
  }

  /** The person speaks, and the model hears it. */
  get speaks(): boolean {
    return this.#voice.speaks;
  }

  hear(block: Float32Array, answering: boolean): void {
    const { clock, gate, overlapped } = this.#needs;
    const now = clock.now();
    this.#since = now;
    gate.push(block, this.#pass);
    this.#since = undefined;
    const news = this.#overlap.push(block, now, answering && gate.transmitting);
    if (news !== undefined) overlapped(news);
  }

  /** What is heard of the answer now: its echo is not the person. */
  played(samples: Float32Array): void {
    this.#overlap.played(samples, this.#needs.clock.now());
  }

  /** Nothing is sent for the time being. */
  stop(): void {
    this.#voice.stop();
  }

  /** A chunk has gone out, after it was held back for so long. */
  sent(waitedMs: number): void {
    const { clock, latencyMs } = this.#needs;
    const now = clock.now();
    const ms = waitedMs + now - (this.#since ?? now) + (latencyMs?.() ?? 0);
    this.#needs.delay({ kind: 'micToWire', ms });
  }

  readonly #pass = (part: Float32Array): void => {
    this.#voice.push(part);
    this.#needs.send(part);
  };
}
