import { describe, expect, it } from 'vitest';
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
class BargeInRoom {
  readonly events: [number, BargeInEvent][] = [];
  readonly #watch;
  readonly #random = seeded(11);
  now = 0;
  noiseDb = -60;
  voiceDb = -100;
  playedDb = -100;
  echoLossDb = -100;
  /** The likelihood of speech that the voice detector of the microphone reports. */
  voice: number | undefined;
  /** How likely the echo canceller's network hears a person; undefined while it does not run. */
  presence: number | undefined;

  constructor(options: Partial<BargeInOptions> = {}) {
    this.#watch = new BargeInDetector({ ...defaultBargeInOptions, ...options });
  }

  pass(ms: number, answering: boolean): void {
    for (const end = this.now + ms; this.now < end; this.now += blockMs) {
      // The level varies like that of speech.
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

describe('BargeInDetector with a voice likelihood', () => {
  it('ignores a sound of any length that is not a voice, such as a key, a cough or a door', () => {
    const room = new BargeInRoom();
    room.pass(1000, true);
    room.voice = 0.1;
    room.say(1500);
    expect(room.eventNames).toEqual([]);
    room.voice = 0.9;
    room.say(1500);
    expect(room.eventNames).toEqual(['duck', 'takesFloor']);
  });
});

describe('BargeInDetector with headphones', () => {
  it('ducks the answer for a short sound and then raises it again', () => {
    const room = new BargeInRoom();
    room.pass(2000, false);
    room.pass(1000, true);
    const began = room.now;
    room.say(400);
    const ended = room.now;
    room.pass(1000, true);
    expect(room.eventNames).toEqual(['duck', 'restore']);
    const [duckedAt, restoredAt] = room.events.map(([at]) => at);
    expect((duckedAt ?? Infinity) - began).toBeLessThanOrEqual(80);
    expect((restoredAt ?? Infinity) - ended).toBeLessThanOrEqual(220);
  });

  it('reports that a long sound takes the floor, and restores the volume at its end', () => {
    const room = new BargeInRoom();
    room.pass(3000, true);
    const began = room.now;
    room.say(1500);
    room.pass(1000, true);
    expect(room.eventNames).toEqual(['duck', 'takesFloor', 'restore']);
    expect((room.events[1]?.[0] ?? Infinity) - began).toBeLessThanOrEqual(640);
  });

  it('counts syllables with short gaps as one sound', () => {
    const room = new BargeInRoom();
    room.pass(2000, true);
    for (let syllable = 0; syllable < 3; syllable += 1) {
      room.say(200);
      room.pass(120, true);
    }
    room.pass(500, true);
    expect(room.eventNames).toEqual(['duck', 'takesFloor', 'restore']);
  });

  it('emits nothing without an answer, and restores when the answer ends', () => {
    const room = new BargeInRoom();
    room.pass(1000, false);
    room.say(2000, false);
    room.pass(1000, true);
    expect(room.eventNames).toEqual([]);
    room.say(200);
    room.pass(20, false);
    expect(room.eventNames).toEqual(['duck', 'restore']);
  });

  it('follows its options', () => {
    const off = new BargeInRoom({ enabled: false });
    off.say(2000);
    expect(off.eventNames).toEqual([]);
    const patient = new BargeInRoom({ shortMs: 1500 });
    patient.pass(2000, true);
    patient.say(1200);
    patient.pass(500, true);
    expect(patient.eventNames).toEqual(['duck', 'restore']);
    const deaf = new BargeInRoom({ aboveNoiseDb: 40 });
    deaf.pass(2000, true);
    deaf.say(1200, true, -30);
    expect(deaf.eventNames).toEqual([]);
  });
});

describe('BargeInDetector in a room', () => {
  it('stops taking a fan for a voice after a while', () => {
    const room = new BargeInRoom();
    room.pass(2000, false);
    room.noiseDb = -38;
    room.pass(20_000, false);
    room.pass(3000, true);
    expect(room.eventNames).toEqual([]);
  });
});

describe('BargeInDetector in front of a speaker', () => {
  const answerWith = (echoLossDb: number): BargeInRoom => {
    const room = new BargeInRoom();
    room.pass(2000, false);
    room.playedDb = -18;
    room.echoLossDb = echoLossDb;
    room.pass(4000, true);
    return room;
  };

  it.each([-35, -20, -10])('ignores the echo (%i dB)', (loss) => {
    expect(answerWith(loss).eventNames).toEqual([]);
  });

  it.each([-35, -25])('detects a voice above the echo (%i dB)', (loss) => {
    const room = answerWith(loss);
    room.say(300, true, -22);
    room.pass(600, true);
    expect(room.eventNames).toEqual(['duck', 'restore']);
  });
});

it('BargeInDetector accepts invalid microphone samples', () => {
  const watch = new BargeInDetector(defaultBargeInOptions);
  const odd = new Float32Array(320).fill(Number.NaN);
  expect(watch.push(odd, 0, true)).toBeUndefined();
  expect(watch.push(new Float32Array(0), 20, true)).toBeUndefined();
  // The clock jumps, so lengths are counted in samples.
  const loud = new Float32Array(320).fill(0.3);
  loud[7] = Number.NaN;
  loud[8] = Infinity;
  const emitted = Array.from({ length: 10 }, (_, n) =>
    watch.push(loud, n % 2 === 0 ? 9e6 : 40, true),
  );
  expect(emitted.filter((event) => event !== undefined)).toEqual(['duck']);
});

it('BargeInDetector does not expect an echo of playback from before the clock jumped back', () => {
  const watch = new BargeInDetector(defaultBargeInOptions);
  watch.played(new Float32Array(480).fill(0.3), 8e6);
  const loud = new Float32Array(320).fill(0.3);
  const emitted = Array.from({ length: 10 }, (_, n) => watch.push(loud, 40 + n * 20, true));
  expect(emitted.filter((event) => event !== undefined)).toEqual(['duck']);
});

describe('BargeInDetector during echo cancellation', () => {
  const answered = (): BargeInRoom => {
    const room = new BargeInRoom();
    room.presence = 0.05;
    room.voice = 0.1;
    room.playedDb = -18;
    room.pass(3000, true);
    return room;
  };
  /** Milliseconds until the answer is ducked for a sound of 600 ms. */
  const duckedAfter = (voice: number, presence: number, db: number): number | undefined => {
    const room = answered();
    const began = room.now;
    room.voice = voice;
    room.presence = presence;
    room.say(600, true, db);
    return room.events[0] && room.events[0][0] - began;
  };

  it('detects a user whom both the voice detector and the canceller hear', () => {
    expect(duckedAfter(0.95, 0.95, -30)).toBeLessThanOrEqual(200);
  });

  it('detects a quiet user whom only one of the two hears clearly', () => {
    expect(duckedAfter(0.95, 0.6, -45)).toBeLessThanOrEqual(400);
    expect(duckedAfter(0.5, 0.97, -45)).toBeLessThanOrEqual(400);
  });

  it('detects a user over the first word of an answer', () => {
    const room = new BargeInRoom();
    room.presence = 0.05;
    room.voice = 0.02;
    room.pass(1000, false);
    room.playedDb = -18;
    room.pass(300, true);
    room.presence = 0.95;
    room.voice = 0.9;
    room.say(300, true, -35);
    expect(room.eventNames).toEqual(['duck']);
  });

  it('ignores residual echo that sounds a little like a voice', () => {
    expect(duckedAfter(0.15, 0.05, -48)).toBeUndefined();
  });
});

describe('BargeInDetector with a sound that is a voice only in parts, such as a bark', () => {
  /** The events of a second in which the detector is certain for this many of ten steps, spread evenly. */
  const eventsFor = (certain: number, presence: number | undefined): readonly string[] => {
    const room = new BargeInRoom();
    room.voice = 0.01;
    room.presence = presence;
    room.pass(1000, true);
    for (let step = 0; step < 50; step += 1) {
      room.voice = (step * certain) % 10 < certain ? 0.97 : 0.6;
      room.say(20);
    }
    return room.eventNames;
  };

  it.each([
    { where: 'without an echo', presence: undefined, least: 8 },
    { where: 'over a cancelled echo', presence: 0.97, least: 7 },
  ])(
    'gives it the floor only if about $least of ten steps are certain, $where',
    ({ presence, least }) => {
      expect(eventsFor(least - 1, presence)).toEqual(['duck']);
      expect(eventsFor(least + 1, presence)).toEqual(['duck', 'takesFloor']);
    },
  );
});
