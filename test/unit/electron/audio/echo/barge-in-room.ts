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

/** A microphone in a room: noise, a voice at times, and what the loudspeaker sends into it. */
export class BargeInRoom {
  readonly events: [number, BargeInEvent][] = [];
  readonly #watch;
  readonly #random = seeded(11);
  now = 0;
  noiseDb = -60;
  voiceDb = -100;
  playedDb = -100;
  echoLossDb = -100;
  /** How likely the microphone's model takes it for a voice. */
  voice: number | undefined;
  /** An echo is taken out of what it hears. */
  echo = false;
  /** It hears more than an echo. */
  somebody = false;

  constructor(options: Partial<BargeInOptions> = {}) {
    this.#watch = new BargeInDetector({ ...defaultBargeInOptions, ...options });
  }

  pass(ms: number, answering: boolean): void {
    for (const end = this.now + ms; this.now < end; this.now += blockMs) {
      // As uneven as speech is.
      const syllable = 0.6 + 0.4 * Math.sin(this.now / 60);
      const played = decibels(this.playedDb) * syllable;
      if (this.playedDb > -100) this.#watch.played(this.#of(played, outputRate), this.now);
      const level =
        decibels(this.noiseDb) +
        decibels(this.voiceDb) * syllable +
        played * decibels(this.echoLossDb);
      const event = this.#watch.push(this.#of(level, inputRate), this.now, answering, {
        likelihood: this.voice,
        echo: this.echo,
        somebody: this.somebody,
      });
      if (event !== undefined) this.events.push([this.now, event]);
    }
  }

  /** The person makes a sound. */
  say(ms: number, answering = true, db = -25): void {
    this.voiceDb = db;
    this.pass(ms, answering);
    this.voiceDb = -100;
  }

  get words(): readonly BargeInEvent[] {
    return this.events.map(([, event]) => event);
  }

  #of(level: number, rate: number): Float32Array {
    const length = (rate * blockMs) / 1000;
    return Float32Array.from({ length }, () => level * Math.sqrt(3) * (2 * this.#random() - 1));
  }
}
