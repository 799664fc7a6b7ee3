import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { CurrentSession } from './current-session.ts';

interface UplinkBacklogDeps {
  readonly session: Pick<CurrentSession, 'pushAudio'>;
  readonly chunkMs: number;
  /** Reports the seconds of speech that were dropped while there was no connection. */
  readonly onSpeechLost: (seconds: number) => void;
}

/** Older speech no longer helps a conversation. */
const maxSeconds = 10;
/** In blocks of 20 ms, the block length of microphones. */
const maxUnanswered = maxSeconds * 50;
/** In blocks, 320 ms. A word begins before it is loud, and a voice is detected up to 90 ms later. */
const maxPreRoll = 16;
/** In blocks, 1.5 s. After this much silence a model knows that a question is over. */
const maxPause = 75;
/** Chunks that a session queues without dropping any. */
const maxUnsentChunks = 2;

/** Buffers speech on its way to the session. Speech that a dead connection may have lost is sent again to the next session. */
export class UplinkBacklog {
  readonly #deps: UplinkBacklogDeps;
  readonly #chunk: number;
  /** Sent since the server's last event. */
  readonly #unconfirmed = new SoundBlockQueue();
  /** Speech since the last answer, sent or waiting; a session that takes over needs all of it. */
  #unanswered: Float32Array[] = [];
  #hasQuestion = false;
  /** Blocks since the user last spoke. */
  #quietBlocks = 0;
  /** Sound for the next session, or sound that this one cannot take yet. */
  readonly #waiting = new SoundBlockQueue();
  #isBuffering = false;
  #spoke = false;
  #lostSamples = 0;
  #unsent = 0;

  constructor(deps: UplinkBacklogDeps) {
    this.#deps = deps;
    this.#chunk = (deps.chunkMs * inputRate) / 1000;
  }

  /** Whether all earlier sound was passed to the session. */
  get isEmpty(): boolean {
    return this.#waiting.isEmpty;
  }

  push(part: Float32Array, speaks: boolean): void {
    this.#spoke ||= speaks;
    const copy = this.#remember(part, speaks);
    if (this.isEmpty) this.#send(copy);
    else {
      this.#enqueue(copy);
      this.#drain();
    }
  }

  /** Buffers a part, because there is no connection or the next session gets it. */
  buffer(part: Float32Array, speaks: boolean): void {
    this.#isBuffering = true;
    this.#spoke ||= speaks;
    this.#enqueue(this.#remember(part, speaks));
  }

  /** The server has received everything before the current chunk. */
  onServerEvent(speaks: boolean): void {
    this.#unconfirmed.keepNewest(this.#chunk);
    if (this.isEmpty) this.#spoke = speaks;
  }

  /** The session has sent or dropped this many samples. */
  onTaken(samples: number): void {
    this.#unsent = Math.max(0, this.#unsent - samples);
    this.#drain();
  }

  /** The model answers, so it has heard all sound that was sent before. */
  onAnswer(): void {
    // After the last detected word another one may have begun.
    const begun = Math.min(maxPreRoll, this.#quietBlocks);
    this.#unanswered = this.isEmpty
      ? this.#unanswered.slice(Math.max(0, this.#unanswered.length - begun))
      : [...this.#waiting.parts];
    this.#hasQuestion = !this.isEmpty && this.#spoke;
  }

  /** Prepares unanswered speech for another session. */
  prepareHandOver(): void {
    this.#unconfirmed.set([]);
    this.#unsent = 0;
    this.#spoke = this.#hasQuestion;
    // Drops the silence in which the user waited for an answer.
    const until = this.#unanswered.length - Math.max(0, this.#quietBlocks - maxPause);
    this.#waiting.set(
      this.#hasQuestion ? this.#unanswered.slice(0, until) : this.#unanswered.slice(-maxPreRoll),
    );
  }

  onConnectionLost(): void {
    const all = [...this.#unconfirmed.parts, ...this.#waiting.parts];
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    for (const part of all) this.#enqueue(part);
  }

  /**
   * Sends the buffer to the session. Without speech only the newest 320 ms are sent, as more would
   * delay the talk.
   */
  release(): void {
    this.#isBuffering = false;
    this.#unsent = 0;
    const seconds = Math.ceil(this.#lostSamples / inputRate);
    this.#lostSamples = 0;
    if (!this.#spoke) this.#waiting.set(this.#waiting.parts.slice(-maxPreRoll));
    else if (seconds > 0) this.#deps.onSpeechLost(seconds);
    this.#drain();
  }

  clear(): void {
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    this.#isBuffering = false;
    this.#unanswered = [];
    this.#hasQuestion = false;
    this.#spoke = false;
    this.#lostSamples = 0;
    this.#unsent = 0;
  }

  /** Stores a copy of the part and returns it. */
  #remember(part: Float32Array, speaks: boolean): Float32Array {
    const copy = part.slice();
    this.#hasQuestion ||= speaks;
    this.#quietBlocks = speaks ? 0 : this.#quietBlocks + 1;
    this.#unanswered.push(copy);
    const max = this.#hasQuestion ? maxUnanswered : maxPreRoll;
    // Trimmed in batches, to avoid moving the array for every block.
    if (this.#unanswered.length > 2 * max)
      this.#unanswered.splice(0, this.#unanswered.length - max);
    return copy;
  }

  #enqueue(part: Float32Array): void {
    this.#waiting.add(part);
    this.#lostSamples += this.#waiting.keepNewest(maxSeconds * inputRate);
  }

  #drain(): void {
    while (!this.#isBuffering && this.#unsent < maxUnsentChunks * this.#chunk) {
      const next = this.#waiting.takeFirst();
      if (next === undefined) return;
      this.#send(next);
    }
  }

  #send(part: Float32Array): void {
    this.#unsent += part.length;
    this.#unconfirmed.add(part);
    this.#unconfirmed.keepNewest(maxSeconds * inputRate);
    this.#deps.session.pushAudio(part);
  }
}

/** Blocks of sound, oldest first. */
class SoundBlockQueue {
  #parts: Float32Array[] = [];
  #samples = 0;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get parts(): readonly Float32Array[] {
    return this.#parts;
  }

  add(part: Float32Array): void {
    this.#parts.push(part);
    this.#samples += part.length;
  }

  takeFirst(): Float32Array | undefined {
    const first = this.#parts.shift();
    this.#samples -= first?.length ?? 0;
    return first;
  }

  set(parts: readonly Float32Array[]): void {
    this.#parts = [...parts];
    this.#samples = parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Drops the oldest blocks while at least `samples` remain; returns the number of samples dropped. */
  keepNewest(samples: number): number {
    const before = this.#samples;
    let from = 0;
    for (;;) {
      const rest = this.#samples - (this.#parts[from]?.length ?? Infinity);
      if (rest < samples) break;
      this.#samples = rest;
      from += 1;
    }
    if (from > 0) this.#parts.splice(0, from);
    return before - this.#samples;
  }
}
