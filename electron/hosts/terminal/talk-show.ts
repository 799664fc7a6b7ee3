import { inputRate } from '../../../shared/protocol/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { Session } from '../../session/session.ts';
import { Listener } from './listener.ts';
import type { Playout } from './playout.ts';
import { everyInterval } from './real-time.ts';
import { TalkEnd } from './talk-end.ts';

export interface TalkScript {
  /** 16 kHz mono; silence follows it. Nothing where a microphone is talked into. */
  readonly input: Float32Array | undefined;
  readonly frames: readonly Uint8Array[];
  readonly interruptAt: readonly number[];
  readonly chunkMs: number;
  readonly maxSeconds: number | undefined;
}

/**
 * Plays the person's part, or leaves it to them: sends the input as a microphone would, or what a
 * microphone hears; listens, and ends in time.
 */
export class TalkShow {
  readonly #script: TalkScript;
  readonly #clock: Clock;
  readonly #listener: Listener;
  readonly #end: TalkEnd;
  readonly #releases: (() => void)[] = [];
  #session: Session | undefined;
  readonly #playout: Playout;
  #begun = false;
  #over = false;

  constructor(script: TalkScript, clock: Clock, playout: Playout) {
    this.#script = script;
    this.#clock = clock;
    this.#playout = playout;
    // Only the person knows when they have said everything.
    const inputMs =
      script.input === undefined ? Infinity : script.input.length / (inputRate / 1000);
    this.#end = new TalkEnd(inputMs);
    this.#listener = new Listener(clock, playout, (at) => {
      if (this.#end.reached(at, playout.drained)) this.#finish();
    });
  }

  readonly begun = (session: Session): void => {
    this.#session = session;
  };

  /** What a microphone hears goes on as it comes, in blocks of any length. */
  readonly take = (block: Float32Array): void => {
    if (this.#begun && !this.#over) this.#session?.hear(block);
  };

  /** When a speaker has played what was left at the end. */
  heardOut(): Promise<void> {
    return this.#listener.heardOut();
  }

  readonly hear = (event: SessionEvent): void => {
    if (event.event === 'state' && event.state === 'live') this.#begin();
    if (event.event === 'closed') this.#stop();
    this.#end.hear(event);
    this.#listener.hear(event);
  };

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { chunkMs, interruptAt, maxSeconds } = this.#script;
    this.#releases.push(
      everyInterval(this.#clock, this.#clock.now(), chunkMs, (count) => {
        this.#speak(count - 1);
      }),
      ...interruptAt.map((seconds) =>
        this.#clock.after(seconds * 1000, () => {
          this.#session?.interrupt();
          this.#playout.interrupt();
        }),
      ),
    );
    if (maxSeconds === undefined) return;
    this.#releases.push(
      this.#clock.after(maxSeconds * 1000, () => {
        this.#finish();
      }),
    );
  }

  /** One chunk with its frame, at the moment at which a microphone would have filled it. */
  #speak(index: number): void {
    const { input, frames, chunkMs } = this.#script;
    const frame = frames[index % frames.length];
    if (frame !== undefined) this.#session?.see(frame);
    if (input === undefined) return;
    const length = Math.round((chunkMs * inputRate) / 1000);
    const chunk = new Float32Array(length);
    chunk.set(input.subarray(index * length, (index + 1) * length));
    this.#session?.hear(chunk);
  }

  #finish(): void {
    this.#stop();
    this.#session?.end();
  }

  #stop(): void {
    this.#over = true;
    for (const release of this.#releases.splice(0)) release();
  }
}
