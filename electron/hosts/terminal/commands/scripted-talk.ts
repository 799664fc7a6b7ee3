import type { Clock } from '../../../../shared/ports/clock.ts';
import { inputRate } from '../../../../shared/protocol/realtime-api.ts';
import type { AudioSink } from '../../../audio/capture/capture-pipeline.ts';
import { LastAnswer } from '../../../talk/answer-watch.ts';
import type { ConversationEvent } from '../../../talk/conversation-event.ts';
import type { Conversation } from '../../../talk/conversation.ts';

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

/** Decides when a talk with a file is over: everything said, everything answered, everything heard. */
export class TalkEndDetector {
  readonly #inputMs: number;
  readonly #answer = new LastAnswer(false);
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  hear(event: ConversationEvent): void {
    this.#answer.hear(event);
  }

  /** `at` counts from the first sound sent; `drained` when all that came has been heard. */
  reached(at: number, drained: boolean): boolean {
    const quiet = !this.#answer.open && drained;
    if (!quiet) this.#quietSince = at;
    if (at < this.#inputMs) {
      // What was answered before the end of the input need not be the last answer.
      if (quiet) this.#answer.asked();
      return false;
    }
    if (!quiet) return false;
    return at - Math.max(this.#quietSince, this.#inputMs) >= this.#answer.patienceMs;
  }
}

/**
 * Calls `run` with 1, 2, 3… at whole intervals after `start`. Each call is set against the start
 * and not against the call before, so that lateness never adds up; what was missed is made up for.
 */
export function everyInterval(
  clock: Clock,
  start: number,
  intervalMs: number,
  run: (count: number) => void,
): () => void {
  const plan = { count: 1, ended: false, cancel: (): void => undefined };
  const wake = (): void => {
    while (!plan.ended && clock.now() >= start + plan.count * intervalMs) {
      run(plan.count);
      plan.count += 1;
    }
    if (!plan.ended) sleep();
  };
  const sleep = (): void => {
    const due = start + plan.count * intervalMs;
    plan.cancel = clock.after(Math.max(0, due - clock.now()), wake);
  };
  sleep();
  return () => {
    plan.ended = true;
    plan.cancel();
  };
}
