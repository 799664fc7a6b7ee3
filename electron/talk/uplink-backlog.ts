import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { CurrentSession } from './current-session.ts';

interface Deps {
  readonly session: Pick<CurrentSession, 'pushAudio'>;
  readonly chunkMs: number;
  /** Of what was said while there was no line, so many seconds are gone. */
  readonly lost: (seconds: number) => void;
}

/** What is older is no conversation any more. */
const maxSeconds = 10;
/** In blocks of 20 ms, which is what microphones hand over. */
const maxUnanswered = maxSeconds * 50;
/** A word begins before it is loud, and a voice is known up to 90 ms after it is. In blocks, as the others here. */
const maxPreRoll = 16;
/** By so much silence a model knows that a question is over. */
const maxPause = 75;
/** What a session holds without dropping any of it. */
const maxUnsentChunks = 2;

/**
 * What is said on its way to the session. What the server may not have got when a line dies is kept with what is said until
 * the next one is live, and goes there first, no faster than it is taken.
 */
export class UplinkBacklog {
  readonly #deps: Deps;
  readonly #chunk: number;
  /** Since the server's last word. */
  readonly #unconfirmed = new NewestSound();
  /** Since the person began to say what was not answered yet, sent or waiting: the next session has not heard any of it. */
  #unanswered: Float32Array[] = [];
  #asks = false;
  /** The blocks since its last word. */
  #quiet = 0;
  /** For the next session, or still to be taken by this one. */
  readonly #waiting = new NewestSound();
  /** Nothing goes to the session there is. */
  #held = false;
  #spoke = false;
  #lostSamples = 0;
  #unsent = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#chunk = (deps.chunkMs * inputRate) / 1000;
  }

  /** Nothing of before is still to be sent. */
  get isEmpty(): boolean {
    return this.#waiting.isEmpty;
  }

  push(part: Float32Array, speaks: boolean): void {
    this.#spoke ||= speaks;
    const own = this.#remember(part, speaks);
    if (this.isEmpty) this.#send(own);
    else {
      this.#wait(own);
      this.#drain();
    }
  }

  /** There is no line to say it on, or it is for the next session. */
  hold(part: Float32Array, speaks: boolean): void {
    this.#held = true;
    this.#spoke ||= speaks;
    this.#wait(this.#remember(part, speaks));
  }

  /** What went before the chunk that is being filled has come to the server. */
  heardServer(speaks: boolean): void {
    this.#unconfirmed.keep(this.#chunk);
    if (this.isEmpty) this.#spoke = speaks;
  }

  /** The session has sent so much, or has let go of it. */
  taken(samples: number): void {
    this.#unsent = Math.max(0, this.#unsent - samples);
    this.#drain();
  }

  /** The model answers: what was sent until now has been heard. */
  answered(): void {
    // Since the last known word another one may have begun.
    const begun = Math.min(maxPreRoll, this.#quiet);
    this.#unanswered = this.isEmpty
      ? this.#unanswered.slice(Math.max(0, this.#unanswered.length - begun))
      : [...this.#waiting.parts];
    this.#asks = !this.isEmpty && this.#spoke;
  }

  /** Another session is to have it, which has heard nothing of this one. */
  handOver(): void {
    this.#unconfirmed.set([]);
    this.#unsent = 0;
    this.#spoke = this.#asks;
    // How long an answer was waited for is not waited for again.
    const until = this.#unanswered.length - Math.max(0, this.#quiet - maxPause);
    this.#waiting.set(
      this.#asks ? this.#unanswered.slice(0, until) : this.#unanswered.slice(-maxPreRoll),
    );
  }

  lineLost(): void {
    const all = [...this.#unconfirmed.parts, ...this.#waiting.parts];
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    for (const part of all) this.#wait(part);
  }

  /**
   * The session gets what was held back, without silence: that would only make it late. The newest 320 ms go along all the
   * same, since a word may have begun in them that the detector does not know yet; they fill the first chunk the sooner.
   */
  released(): void {
    this.#held = false;
    this.#unsent = 0;
    const seconds = Math.ceil(this.#lostSamples / inputRate);
    this.#lostSamples = 0;
    if (!this.#spoke) this.#waiting.set(this.#waiting.parts.slice(-maxPreRoll));
    else if (seconds > 0) this.#deps.lost(seconds);
    this.#drain();
  }

  clear(): void {
    this.#unconfirmed.set([]);
    this.#waiting.set([]);
    this.#held = false;
    this.#unanswered = [];
    this.#asks = false;
    this.#spoke = false;
    this.#lostSamples = 0;
    this.#unsent = 0;
  }

  /** Answers the one copy of it, which nobody changes. */
  #remember(part: Float32Array, speaks: boolean): Float32Array {
    const own = part.slice();
    this.#asks ||= speaks;
    this.#quiet = speaks ? 0 : this.#quiet + 1;
    this.#unanswered.push(own);
    const max = this.#asks ? maxUnanswered : maxPreRoll;
    // Many at a time, so that they are not moved for each.
    if (this.#unanswered.length > 2 * max)
      this.#unanswered.splice(0, this.#unanswered.length - max);
    return own;
  }

  #wait(part: Float32Array): void {
    this.#waiting.add(part);
    this.#lostSamples += this.#waiting.keep(maxSeconds * inputRate);
  }

  #drain(): void {
    while (!this.#held && this.#unsent < maxUnsentChunks * this.#chunk) {
      const next = this.#waiting.takeFirst();
      if (next === undefined) return;
      this.#send(next);
    }
  }

  #send(part: Float32Array): void {
    this.#unsent += part.length;
    this.#unconfirmed.add(part);
    this.#unconfirmed.keep(maxSeconds * inputRate);
    this.#deps.session.pushAudio(part);
  }
}

/** Blocks of sound of which only the newest are kept; how long they are together is known without counting. */
export class NewestSound {
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

  /** The last of them that make up so many samples; says how many went. */
  keep(samples: number): number {
    const before = this.#samples;
    let from = 0;
    for (;;) {
      const rest = this.#samples - (this.#parts[from]?.length ?? Infinity);
      if (rest < samples) break;
      this.#samples = rest;
      from += 1;
    }
    // Mostly nothing goes, and nothing is copied.
    if (from > 0) this.#parts.splice(0, from);
    return before - this.#samples;
  }
}
