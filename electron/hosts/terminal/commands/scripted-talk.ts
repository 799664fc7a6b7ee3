import type { Clock } from '../../../../shared/ports/clock.ts';
import { inputRate } from '../../../../shared/protocol/realtime-api.ts';
import type { AudioSink } from '../../../audio/capture/microphone.ts';
import { LastAnswer } from '../../../talk/last-answer.ts';
import type { ConversationEvent } from '../../../talk/conversation-options.ts';
import type { Conversation } from '../../../talk/conversation.ts';

type Talk = Pick<Conversation, 'pushAudio' | 'pushFrame' | 'interrupt' | 'end' | 'isSounding'>;

/** How often to check whether the talk is over. */
const pollMs = 50;

export interface TalkScript {
  /** 16 kHz mono, followed by silence. Undefined if a microphone is used. */
  readonly input: Float32Array | undefined;
  readonly frames: readonly Uint8Array[];
  readonly interruptAt: readonly number[];
  readonly chunkMs: number;
  readonly maxSeconds: number | undefined;
}

/**
 * Acts for the user: sends a file as a microphone would, or passes on the sound of a microphone, and ends the talk.
 */
export class ScriptedTalk implements AudioSink {
  readonly #script: TalkScript;
  readonly #clock: Clock;
  readonly #endDetector: TalkEndDetector;
  readonly #releases: (() => void)[] = [];
  #talk: Talk | undefined;
  #hasBegun = false;

  constructor(script: TalkScript, clock: Clock) {
    this.#script = script;
    this.#clock = clock;
    // With a microphone only the user knows when the talk is over.
    const inputMs =
      script.input === undefined ? Infinity : script.input.length / (inputRate / 1000);
    this.#endDetector = new TalkEndDetector(inputMs);
  }

  readonly begun = (talk: Talk): void => {
    this.#talk = talk;
  };

  /** Passes on microphone blocks of any length. */
  pushAudio(block: Float32Array): void {
    this.#talk?.pushAudio(block);
  }

  readonly handleEvent = (event: ConversationEvent): void => {
    if (event.event === 'state' && event.state === 'live') this.#begin();
    if (event.event === 'talk' && event.state.phase === 'ended') this.#stop();
    this.#endDetector.onEvent(event);
  };

  /** Starts at the first session. Later sessions continue the script. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { chunkMs, interruptAt, maxSeconds } = this.#script;
    const start = this.#clock.now();
    this.#releases.push(
      repeatAtIntervals(this.#clock, start, chunkMs, (count) => this.#sendChunk(count - 1)),
      repeatAtIntervals(this.#clock, start, pollMs, () => {
        const isSilent = this.#talk?.isSounding() === false;
        if (this.#endDetector.isOver(this.#clock.now() - start, isSilent)) this.#finish();
      }),
      ...interruptAt.map((seconds) =>
        this.#clock.after(seconds * 1000, () => this.#talk?.interrupt()),
      ),
    );
    if (maxSeconds === undefined) return;
    this.#releases.push(this.#clock.after(maxSeconds * 1000, () => this.#finish()));
  }

  /** Sends a chunk with its frame, at the time when a microphone would have filled it. */
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
    for (const release of this.#releases.splice(0)) release();
  }
}

/** A talk with an input file is over when all input was sent, answered and played. */
export class TalkEndDetector {
  readonly #inputMs: number;
  readonly #answer = new LastAnswer(false);
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  onEvent(event: ConversationEvent): void {
    this.#answer.onEvent(event);
  }

  /** `at`: milliseconds since the first session went live. `isSilent`: the speaker has played everything. */
  isOver(at: number, isSilent: boolean): boolean {
    const isQuiet = !this.#answer.isOpen && isSilent;
    if (!isQuiet) this.#quietSince = at;
    if (at < this.#inputMs) {
      // Forgets an answer that was over before the input was, because another may follow.
      if (isQuiet) this.#answer.onQuestion();
      return false;
    }
    if (!isQuiet) return false;
    return at - Math.max(this.#quietSince, this.#inputMs) >= this.#answer.requiredQuietMs;
  }
}

/**
 * Calls `run` with 1, 2, 3… at whole intervals after `start`. Measures from the start, so that delays do not
 * add up, and catches up on missed calls.
 */
export function repeatAtIntervals(
  clock: Clock,
  start: number,
  intervalMs: number,
  run: (count: number) => void,
): () => void {
  const plan = { count: 1, hasEnded: false, cancel: (): void => undefined };
  const wake = (): void => {
    while (!plan.hasEnded && clock.now() >= start + plan.count * intervalMs) {
      run(plan.count);
      plan.count += 1;
    }
    if (!plan.hasEnded) sleep();
  };
  const sleep = (): void => {
    const due = start + plan.count * intervalMs;
    plan.cancel = clock.after(Math.max(0, due - clock.now()), wake);
  };
  sleep();
  return () => {
    plan.hasEnded = true;
    plan.cancel();
  };
}
