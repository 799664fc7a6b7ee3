import {
  BargeInDetector,
  type BargeInEvent,
  type BargeInOptions,
  defaultBargeInOptions,
} from '../../../../../electron/audio/detection/barge-in.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const blockMs = 20;
const decibels = (db: number): number => 10 ** (db / 20);

/** Simulates a microphone in a room: noise, an occasional voice, and the speaker’s echo. */
export class BargeInRoom {
  readonly events: [number, BargeInEvent][] = [];
  readonly #watch;
  readonly #random = seeded(11);
  now = 0;
  noiseDb = -60;
  voiceDb = -100;
  playedDb = -100;
  echoLossDb = -100;
  /** The voice likelihood of the microphone’s model. */
  voice: number | undefined;
  /** How likely the echo canceller's network hears a person; undefined while it does not run. */
  presence: number | undefined;

  constructor(options: Partial<BargeInOptions> = {}) {
    this.#watch = new BargeInDetector({ ...defaultBargeInOptions, ...options });
  }

  pass(ms: number, answering: boolean): void {
    for (const end = this.now + ms; this.now < end; this.now += blockMs) {
      // As uneven as speech.
      const syllable = 0.6 + 0.4 * Math.sin(this.now / 60);
      const played = decibels(this.playedDb) * syllable;
      if (this.playedDb > -100) this.#watch.played(this.#of(played, outputRate), this.now);
      const level =
        decibels(this.noiseDb) +
        decibels(this.voiceDb) * syllable +
        played * decibels(this.echoLossDb);
      const event = this.#watch.push(this.#of(level, inputRate), this.now, answering, {
        likelihood: this.voice,
        presence: this.presence,
      });
      if (event !== undefined) this.events.push([this.now, event]);
    }
  }

  /** The user makes a sound. */
  say(ms: number, answering = true, db = -25): void {
    this.voiceDb = db;
    this.pass(ms, answering);
    this.voiceDb = -100;
  }

  get eventNames(): readonly BargeInEvent[] {
    return this.events.map(([, event]) => event);
  }

  #of(level: number, rate: number): Float32Array {
    const length = (rate * blockMs) / 1000;
    return Float32Array.from({ length }, () => level * Math.sqrt(3) * (2 * this.#random() - 1));
  }
}
