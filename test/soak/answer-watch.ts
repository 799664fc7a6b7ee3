import { setTimeout as wait } from 'node:timers/promises';
import { outputRate, inputRate } from '../../shared/protocol/realtime-api.ts';
import type { GatewayMessage } from '../bench/conversation/gateway.ts';
import { findSound, type SoundTape } from '../bench/conversation/sound-tape.ts';

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

export type Append = Extract<GatewayMessage, { kind: 'append' }>;

/** Wait before an append is searched in the rig's capture, which may receive its end later than the server does. */
const waitMs = 400;
/** Maximum age of the end of a chunk that has just arrived. */
const lookBackMs = 700;
/**
 * Minimum similarity of an append to its place in the capture: both are resampled and may differ by half a sample, and Parley
 * attenuates noise.
 */
const minLikeness = 0.6;

/** The place of an append's end in the rig's own capture. */
interface Place {
  readonly session: number;
  readonly end: number;
  /** Age of that sample when the append arrived. */
  readonly delayMs: number;
  /** Captured sound since the previous place that was not sent. */
  readonly lostMs: number | undefined;
}

/** A session with a longer delay is still catching up; it gets a second of sound at a time. */
const catchingUpMs = 100;

/** Sound that was not sent during a hand-over, and whether it contains speech. */
interface UnsentPart {
  readonly session: number;
  readonly ms: number;
  readonly spoken: boolean;
}

/** Finds the end of every append in the microphone's sound, to check that everything between was sent. */
export class MicrophoneWatch {
  readonly places: Place[] = [];
  readonly unsentParts: UnsentPart[] = [];
  appends = 0;
  unplaced = 0;
  readonly #source: SoundTape;
  /** Samples that arrived since the last place. */
  #since = 0;
  /** Whether a new session still receives sound from before it took over. */
  #behind = true;

  constructor(source: SoundTape) {
    this.#source = source;
  }

  heard(append: Append): void {
    this.appends += 1;
    setTimeout(() => {
      this.#place(append);
    }, waitMs);
  }

  /** Captured sound that was not sent. Up to 5 ms an append count as drift between the clocks of the two captures. */
  get lostMs(): number {
    return this.places.reduce((sum, { lostMs = 0 }) => sum + (lostMs > 5 ? lostMs : 0), 0);
  }

  #place({ at, session, samples, end }: Append): void {
    const from = Math.max(0, this.#source.sampleAt(at - lookBackMs));
    const until = Math.min(this.#source.count, this.#source.sampleAt(at) + inputRate / 50);
    const found = findSound(Float32Array.from(end), this.#source.part(from, until));
    this.#since += samples;
    if (found.likeness < minLikeness) {
      this.unplaced += 1;
      return;
    }
    const place = from + found.at + end.length;
    const before = this.places.at(-1);
    const same = before?.session === session;
    const ms = before && ((place - this.#since - before.end) * 1000) / inputRate;
    // A session that is catching up may skip silence in which the user waited for an answer. All of it was captured before the
    // previous append arrived, so it is shorter than that append's delay.
    const isSkipped = same && this.#behind && ms !== undefined && ms > 0 && ms < before.delayMs;
    const unsent = !same || isSkipped;
    if (before !== undefined && ms !== undefined && unsent)
      this.#addUnsentPart(session, before.end, ms);
    const delayMs = at - this.#source.timeOf(place);
    this.places.push({ session, end: place, delayMs, lostMs: unsent ? undefined : ms });
    this.#since = 0;
    this.#behind = !same || (this.#behind && delayMs > catchingUpMs);
  }

  #addUnsentPart(session: number, from: number, ms: number): void {
    const until = from + Math.max(0, (ms * inputRate) / 1000);
    const loud = this.#source.firstLoud(Math.max(0, Math.round(from)));
    this.unsentParts.push({ session, ms, spoken: loud !== undefined && loud < until });
  }
}
