import { inputRate } from '../../../shared/protocol/limits.ts';
import type { Clock } from '../../ports.ts';
import type { SessionEvent } from '../../session/session-event.ts';
import type { Session } from '../../session/session.ts';
import { Listener } from './listener.ts';
import type { Playout } from './playout.ts';
import { everyInterval } from './real-time.ts';
import { TalkEnd } from './talk-end.ts';

export interface TalkScript {
  /** 16 kHz mono; silence follows it. */
  readonly input: Float32Array;
  readonly frames: readonly Uint8Array[];
  readonly interruptAt: readonly number[];
  readonly chunkMs: number;
  readonly maxSeconds: number | undefined;
}

/** Plays the person's part: sends the input as a microphone would, listens, and ends in time. */
export class TalkShow {
  readonly #script: TalkScript;
  readonly #clock: Clock;
  readonly #listener: Listener;
  readonly #end: TalkEnd;
  readonly #releases: (() => void)[] = [];
  #session: Session | undefined;
  #begun = false;

  constructor(script: TalkScript, clock: Clock, playout: Playout) {
    this.#script = script;
    this.#clock = clock;
    this.#end = new TalkEnd((script.input.length * 1000) / inputRate);
    this.#listener = new Listener(clock, playout, (at) => {
      if (this.#end.reached(at, playout.drained)) this.#finish();
    });
  }

  readonly begun = (session: Session): void => {
    this.#session = session;
  };

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
        this.#clock.after(seconds * 1000, () => this.#session?.interrupt()),
      ),
    );
    if (maxSeconds === undefined) return;
    this.#releases.push(
      this.#clock.after(maxSeconds * 1000, () => {
        this.#finish();
      }),
    );
  }

  /** One chunk, at the moment at which a microphone would have filled it. */
  #speak(index: number): void {
    const { input, frames, chunkMs } = this.#script;
    const length = Math.round((chunkMs * inputRate) / 1000);
    const chunk = new Float32Array(length);
    chunk.set(input.subarray(index * length, (index + 1) * length));
    const frame = frames[index % frames.length];
    if (frame !== undefined) this.#session?.see(frame);
    this.#session?.hear(chunk);
  }

  #finish(): void {
    this.#stop();
    this.#session?.end();
  }

  #stop(): void {
    for (const release of this.#releases.splice(0)) release();
  }
}
