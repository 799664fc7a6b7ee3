import { inputRate } from '../../../../shared/protocol/protocol-limits.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import type { AudioSink } from '../../../sound/capture/audio-sink.ts';
import type { Clock } from '../../../ports/clock.ts';
import { everyInterval } from './every-interval.ts';
import { TalkEndDetector } from './talk-end-detector.ts';

type Talk = Pick<Conversation, 'pushAudio' | 'pushFrame' | 'interrupt' | 'end' | 'sounding'>;

/** How often is looked whether everything has been said and heard. */
const lookMs = 50;

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
export class ScriptedTalk implements AudioSink {
  readonly #script: TalkScript;
  readonly #clock: Clock;
  readonly #endDetector: TalkEndDetector;
  readonly #disposers: (() => void)[] = [];
  #talk: Talk | undefined;
  #begun = false;

  constructor(script: TalkScript, clock: Clock) {
    this.#script = script;
    this.#clock = clock;
    // Only the person knows when they have said everything.
    const inputMs =
      script.input === undefined ? Infinity : script.input.length / (inputRate / 1000);
    this.#endDetector = new TalkEndDetector(inputMs);
  }

  readonly begun = (talk: Talk): void => {
    this.#talk = talk;
  };

  /** What a microphone hears goes on as it comes, in blocks of any length. */
  pushAudio(block: Float32Array): void {
    this.#talk?.pushAudio(block);
  }

  readonly hear = (event: ConversationEvent): void => {
    if (event.event === 'state' && event.state === 'live') this.#begin();
    if (event.event === 'talk' && event.state.phase === 'ended') this.#stop();
    this.#endDetector.hear(event);
  };

  /** With the first session; those that follow a lost one go on where it was. */
  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { chunkMs, interruptAt, maxSeconds } = this.#script;
    const start = this.#clock.now();
    this.#disposers.push(
      everyInterval(this.#clock, start, chunkMs, (count) => {
        this.#sendChunk(count - 1);
      }),
      everyInterval(this.#clock, start, lookMs, () => {
        const drained = this.#talk?.sounding() === false;
        if (this.#endDetector.reached(this.#clock.now() - start, drained)) this.#finish();
      }),
      ...interruptAt.map((seconds) =>
        this.#clock.after(seconds * 1000, () => {
          this.#talk?.interrupt();
        }),
      ),
    );
    if (maxSeconds === undefined) return;
    this.#disposers.push(
      this.#clock.after(maxSeconds * 1000, () => {
        this.#finish();
      }),
    );
  }

  /** One chunk with its frame, at the moment at which a microphone would have filled it. */
  #sendChunk(index: number): void {
    const { input, frames, chunkMs } = this.#script;
    const frame = frames[index % frames.length];
    if (frame !== undefined) this.#talk?.pushFrame(frame);
    if (input === undefined) return;
    const length = Math.round((chunkMs * inputRate) / 1000);
    const chunk = new Float32Array(length);
    chunk.set(input.subarray(index * length, (index + 1) * length));
    this.#talk?.pushAudio(chunk);
  }

  #finish(): void {
    this.#stop();
    this.#talk?.end();
  }

  #stop(): void {
    for (const release of this.#disposers.splice(0)) release();
  }
}
