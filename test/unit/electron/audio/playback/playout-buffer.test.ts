import { describe, expect, it } from 'vitest';
import {
  appendToRun,
  PlayoutBuffer,
  type PlayoutCut,
  type PlayoutRun,
} from '../../../../../electron/audio/playback/playout-buffer.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';
import { numbered } from '../devices/sound-harness.ts';
import type { SpeakerStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import { StreamPlayer } from '../../../../../electron/audio/playback/speaker.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';

interface Sample {
  readonly value: number;
  readonly turn: number | undefined;
  readonly held: boolean;
}

interface State {
  readonly counts: readonly number[];
  readonly samples: number;
  readonly silent: boolean;
}

/** A slow implementation that keeps every sample, for comparison. */
class ReferencePlayout {
  readonly #heardTurns: (number | undefined)[] = [];
  readonly heardSamples: number[] = [];
  /** Every written sample that was not cut. */
  #all: Sample[] = [];
  sent = 0;
  played = 0;
  heard = 0;

  write(samples: Float32Array, turn: number | undefined, held: boolean): void {
    for (const value of samples) this.#all.push({ value, turn, held });
  }

  takeHeld(): void {
    this.#all = this.#all.filter(({ held }) => !held);
  }

  unsent(max: number): number[] {
    return this.#released.slice(this.sent, this.sent + max).map(({ value }) => value);
  }

  send(count: number): void {
    this.sent = Math.min(this.#released.length, this.sent + count);
  }

  playedTo(count: number): void {
    this.played = Math.max(this.played, Math.min(count, this.sent));
  }

  heardTo(count: number): void {
    for (; this.heard < Math.min(count, this.played); this.heard += 1) {
      const sample = this.#all[this.heard];
      this.#heardTurns.push(sample?.turn);
      if (sample?.turn !== undefined) this.heardSamples.push(sample.value);
    }
  }

  resend(): void {
    this.heardTo(this.played);
    this.sent = this.played;
  }

  cut(): PlayoutCut {
    const lost = this.#all.slice(this.played);
    this.#all = this.#all.slice(0, this.played);
    this.sent = this.played;
    return {
      dropped: lost.length,
      answer: lost.filter(({ turn }) => turn !== undefined).length,
    };
  }

  state(turn: number): State {
    const answer = (samples: readonly Sample[]) =>
      samples.filter((each) => each.turn !== undefined);
    const toCome = this.#all.slice(this.heard);
    return {
      counts: [
        this.sent,
        this.played,
        this.heard,
        this.#released.length - this.played,
        this.#all.length - this.#released.length,
        this.heardSamples.length,
        answer(toCome).length,
        this.#heardTurns.length - this.heardSamples.length,
      ],
      samples: this.#all.filter((each) => each.turn === turn).length,
      silent: toCome.length === 0,
    };
  }

  /** The state of the buffer under test, in the same form. */
  stateOf(buffer: PlayoutBuffer, turn: number): State {
    return {
      counts: [
        buffer.sent,
        buffer.played,
        buffer.heard,
        buffer.waiting,
        buffer.heldCount,
        buffer.playhead,
        buffer.queued,
        buffer.insertedHeard,
      ],
      samples: buffer.samplesOf(turn),
      silent: buffer.isSilent,
    };
  }

  get #released(): readonly Sample[] {
    return this.#all.filter(({ held }) => !held);
  }
}

function playAll(buffer: PlayoutBuffer): Float32Array {
  const sound = buffer.unsent(Infinity) ?? new Float32Array();
  buffer.send(sound.length);
  buffer.playedTo(buffer.sent);
  return sound;
}

describe('PlayoutBuffer', () => {
  it('passes only the original answer to the listener', () => {
    const buffer = new PlayoutBuffer();
    const heard: number[] = [];
    buffer.listen((samples) => heard.push(...samples));
    buffer.write(numbered(0, 3), 1, new Float32Array(3).fill(0.5));
    buffer.insert(new Float32Array(2));
    expect([...playAll(buffer)]).toEqual([0.5, 0.5, 0.5, 0, 0]);
    buffer.heardTo(4);
    expect(heard).toEqual([1, 2, 3]);
    expect([buffer.playhead, buffer.insertedHeard, buffer.isSounding]).toEqual([3, 1, true]);
    buffer.heardTo(5);
    expect([buffer.playhead, buffer.isSilent, buffer.isSounding]).toEqual([3, true, false]);
  });
});

const seeds = Array.from({ length: randomRuns(40) }, (_, n) => n + 1);

it.each(seeds)('PlayoutBuffer matches a list of single samples (seed %i)', (seed) => {
  const random = seeded(seed);
  const buffer = new PlayoutBuffer();
  const reference = new ReferencePlayout();
  const heard: number[] = [];
  buffer.listen((samples) => heard.push(...samples));
  let next = 0;
  let turn = 1;
  for (let step = 0; step < 400; step += 1) {
    const action = Math.floor(random() * 10);
    const count = Math.floor(random() * 30);
    const samples = numbered(next, count);
    if (action < 3) {
      // A buffer accepts a write only after the held sound was taken.
      reference.takeHeld();
      buffer.takeHeldBack();
      if (random() < 0.3) turn += 1;
      buffer.write(samples, turn);
      reference.write(samples, turn, false);
      next += count;
    } else if (action === 3 && buffer.heldCount === 0) {
      buffer.insert(samples);
      reference.write(samples, undefined, false);
    } else if (action === 4) {
      buffer.holdBack(samples, turn);
      reference.write(samples, turn, true);
      next += count;
    } else if (action === 5) {
      expect([...(buffer.unsent(count) ?? [])]).toEqual(reference.unsent(count));
      buffer.send(count);
      reference.send(count);
    } else if (action === 6) {
      const to = reference.played + count - 5;
      buffer.playedTo(to);
      reference.playedTo(to);
    } else if (action === 7) {
      const to = reference.heard + count - 5;
      buffer.heardTo(to);
      reference.heardTo(to);
    } else if (action === 8 && random() < 0.3) {
      expect(buffer.cut()).toEqual(reference.cut());
    } else if (random() < 0.3) {
      buffer.resend();
      reference.resend();
    }
    expect(reference.stateOf(buffer, turn)).toEqual(reference.state(turn));
    expect(heard).toEqual(reference.heardSamples);
  }
});

/** A buffer, and the pieces that its listener received. */
function listened() {
  const buffer = new PlayoutBuffer();
  const pieces: number[] = [];
  const heard: number[] = [];
  buffer.listen((samples) => {
    pieces.push(samples.length);
    heard.push(...samples);
  });
  const hearAll = (): void => {
    buffer.send(Infinity);
    buffer.playedTo(Infinity);
    buffer.heardTo(Infinity);
  };
  return { buffer, pieces, heard, hearAll };
}

describe('an answer that arrives sample by sample', () => {
  it('is joined and heard in full', () => {
    const { buffer, pieces, heard, hearAll } = listened();
    for (let at = 0; at < 3000; at += 1) buffer.write(numbered(at, 1), 1);
    hearAll();
    expect(pieces).toEqual([2400, 600]);
    expect(heard).toEqual([...numbered(0, 3000)]);
  });

  it('is joined while held back, separately from released sound', () => {
    const { buffer } = listened();
    for (let at = 0; at < 3; at += 1) buffer.write(numbered(at, 1), 1);
    for (let at = 3; at < 8; at += 1) buffer.holdBack(numbered(at, 1), 1);
    expect(buffer.takeHeldBack()).toEqual([numbered(3, 5)]);
    expect([buffer.queued, buffer.heldCount]).toEqual([3, 0]);
  });

  it('is heard once, also in small steps, and can be cut within the joined piece', () => {
    const { buffer, pieces, heard, hearAll } = listened();
    buffer.write(numbered(0, 200), 1);
    buffer.send(150);
    for (const to of [30, 70, 150]) {
      buffer.playedTo(to);
      buffer.heardTo(to);
    }
    expect(buffer.cut()).toEqual({ dropped: 50, answer: 50 });
    buffer.write(numbered(300, 10), 2);
    hearAll();
    expect(pieces).toEqual([30, 40, 80, 10]);
    expect(heard).toEqual([...numbered(0, 150), ...numbered(300, 10)]);
  });
});

it('PlayoutBuffer counts as sounding after a cut until the device has played what it already had', () => {
  const { buffer, hearAll } = listened();
  buffer.write(numbered(0, 100), 1);
  buffer.send(100);
  buffer.playedTo(40);
  buffer.heardTo(30);
  buffer.cut();
  expect([buffer.isSilent, buffer.isSounding]).toEqual([false, true]);
  hearAll();
  expect([buffer.isSilent, buffer.isSounding]).toEqual([true, false]);
  buffer.write(numbered(0, 100), 2);
  buffer.send(50);
  buffer.playedTo(90);
  buffer.heardTo(90);
  expect(buffer.isSounding).toBe(true);
  buffer.cut();
  expect([buffer.isSilent, buffer.isSounding]).toEqual([true, false]);
});

function run(from: number, length: number, turn: number | undefined = 1): PlayoutRun {
  const samples = numbered(from, length);
  return { from, turn, samples, sound: samples.map((sample) => -sample) };
}

describe('a short piece of a run', () => {
  it('is appended to the short piece before it, in both versions', () => {
    const last = run(7, 2);
    expect(appendToRun(last, run(9, 3))).toBe(true);
    expect([...last.samples]).toEqual([8, 9, 10, 11, 12]);
    expect([...last.sound]).toEqual([-8, -9, -10, -11, -12]);
  });

  it('is not appended to a long piece', () => {
    expect(appendToRun(run(0, 239), run(239, 1))).toBe(true);
    expect(appendToRun(run(0, 240), run(240, 1))).toBe(false);
  });

  it('is not appended to a piece of another turn or to inserted sound', () => {
    expect(appendToRun(run(0, 5), run(5, 1, 2))).toBe(false);
    expect(appendToRun({ ...run(0, 5), turn: undefined }, run(5, 1))).toBe(false);
  });

  it('is not appended out of order', () => {
    const last = run(0, 5);
    for (const from of [4, 6]) expect(appendToRun(last, run(from, 1))).toBe(false);
    expect(appendToRun(undefined, run(0, 1))).toBe(false);
    expect(last.samples).toHaveLength(5);
  });
});

/** A stream with a small capacity, whose progress the test controls. */
class SmallStream implements SpeakerStream {
  readonly device = fakeBuiltIn;
  readonly given: number[] = [];
  readonly rate: number;
  readonly #room: number;
  played = 0;
  heard = 0;

  constructor(rate: number, room: number) {
    this.rate = rate;
    this.#room = room;
  }

  get queued(): number {
    return this.given.length - this.played;
  }

  play(count: number): void {
    this.played += Math.min(count, this.queued);
  }

  readonly write = (samples: Float32Array): number => {
    const taken = samples.subarray(0, this.#room - this.queued);
    this.given.push(...taken);
    return taken.length;
  };

  readonly flush = () => {
    const dropped = this.queued;
    this.given.length = this.played;
    return { played: this.played, dropped };
  };

  readonly stats = () => ({
    alive: true,
    played: this.played,
    heard: this.heard,
    queued: this.queued,
    underruns: 0,
    repaired: 0,
    latencyMs: 20,
  });

  readonly setVolume = (): void => undefined;
  readonly takePlayed = () => ({ count: 0, position: 0, heardAt: 0 });
  readonly close = (): Promise<void> => Promise.resolve();
}

function open(rate: number, room = Infinity) {
  const stream = new SmallStream(rate, room);
  const buffer = new PlayoutBuffer();
  const player = new StreamPlayer(stream, buffer);
  player.begin();
  return { stream, buffer, player };
}

const answer = numbered(0, 1000);

it('a device with its own rate receives everything in order, in any portions', () => {
  const roomy = open(48_000);
  roomy.buffer.write(answer, 1);
  expect(roomy.player.send()).toBe(true);
  const { stream, buffer, player } = open(48_000, 100);
  buffer.write(answer, 1);
  expect(player.send()).toBe(false);
  for (let round = 0; round < 100; round += 1) {
    stream.play(60);
    player.follow();
    player.send();
  }
  expect(stream.given).toEqual(roomy.stream.given);
  expect(player.send()).toBe(true);
});

it('a stream player counts unsent samples as unplayed, even if the stream is empty', () => {
  const { stream, buffer, player } = open(48_000, 100);
  buffer.write(answer, 1);
  player.send();
  stream.play(100);
  player.follow();
  expect([buffer.sent, buffer.played]).toEqual([1000, 50]);
});

it('a stream player continues counting after an empty stream', () => {
  const { stream, buffer, player } = open(44_100);
  buffer.write(answer, 1);
  player.send();
  stream.play(Infinity);
  player.follow();
  // The resampler’s remainder plays with the next samples.
  expect(buffer.played).toBe(1000);
  buffer.write(answer, 1);
  player.send();
  stream.play(441);
  player.follow();
  expect(buffer.played).toBe(1240);
});

it('a stream player continues counting after a flush', () => {
  const { stream, buffer, player } = open(48_000);
  buffer.write(answer, 1);
  player.send();
  stream.play(500);
  player.follow();
  expect(buffer.played).toBe(250);
  player.flush();
  buffer.cut();
  buffer.write(answer, 2);
  player.send();
  stream.play(300);
  player.follow();
  expect(buffer.played).toBe(400);
});

it.each([24_000, 48_000])(
  'a stream player counts as heard what the device reports, at %i Hz',
  (rate) => {
    const { stream, buffer, player } = open(rate);
    const scale = rate / 24_000;
    buffer.write(answer, 1);
    player.send();
    stream.play(Infinity);
    stream.heard = 480 * scale;
    player.follow();
    const behind = Math.round((stream.played - stream.heard) / scale);
    expect([buffer.played, buffer.heard]).toEqual([1000, 1000 - behind]);
    stream.heard = stream.played;
    player.follow();
    expect(buffer.heard).toBe(1000);
  },
);
