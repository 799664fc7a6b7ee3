import { describe, expect, it } from 'vitest';
import {
  appendToRun,
  PlayoutBuffer,
  type PlayoutCut,
  type PlayoutRun,
} from '../../../../../electron/audio/playback/playout-buffer.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered } from '../devices/sound-harness.ts';

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
  it('sends in one piece what was written in several', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 3), 1);
    buffer.insert(numbered(100, 2));
    buffer.write(numbered(3, 2), 1);
    expect([...(buffer.unsent(6) ?? [])]).toEqual([1, 2, 3, 101, 102, 4]);
    buffer.send(4);
    expect([...(buffer.unsent(6) ?? [])]).toEqual([102, 4, 5]);
    buffer.send(3);
    expect(buffer.unsent(6)).toBeUndefined();
  });

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

  it('holds sound back until it is taken and written again', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 2), 1);
    buffer.holdBack(numbered(10, 3), 2);
    expect([buffer.heldCount, buffer.waiting, buffer.queued]).toEqual([3, 2, 5]);
    expect([...playAll(buffer)]).toEqual([1, 2]);
    const [held] = buffer.takeHeldBack();
    expect([[...(held ?? [])], buffer.queued, buffer.samplesOf(2)]).toEqual([[11, 12, 13], 2, 0]);
    buffer.write(held ?? new Float32Array(), 2);
    expect([...playAll(buffer)]).toEqual([11, 12, 13]);
  });

  it('sends unplayed sound again to the next device', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 6), 1);
    buffer.send(5);
    buffer.playedTo(3);
    buffer.resend();
    expect([...(buffer.unsent(9) ?? [])]).toEqual([4, 5, 6]);
    expect(buffer.heard).toBe(3);
  });

  it('ends a cut where a device already has the sound, and cuts once', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 4), 1);
    buffer.insert(numbered(0, 2));
    buffer.holdBack(numbered(4, 4), 2);
    buffer.send(4);
    buffer.playedTo(3);
    buffer.heardTo(3);
    expect([buffer.samplesOf(1), buffer.samplesOf(2), buffer.queued]).toEqual([4, 4, 5]);
    expect(buffer.cut()).toEqual({ dropped: 7, answer: 5 });
    expect([buffer.samplesOf(1), buffer.samplesOf(2), buffer.heldCount]).toEqual([3, 0, 0]);
    expect(buffer.queued).toBe(0);
    expect(buffer.cut()).toEqual({ dropped: 0, answer: 0 });
  });

  it('never overtakes a count nor goes back', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 4), 1);
    buffer.playedTo(9);
    expect(buffer.played).toBe(0);
    buffer.send(9);
    buffer.playedTo(9);
    buffer.playedTo(-5);
    buffer.heardTo(2);
    buffer.heardTo(1);
    expect([buffer.sent, buffer.played, buffer.heard]).toEqual([4, 4, 2]);
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
      // Writing again requires taking the held sound.
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

  it('is not joined with long pieces, which would have to be copied', () => {
    const { buffer, pieces, hearAll } = listened();
    for (const length of [100, 240, 100, 239]) buffer.write(numbered(0, length), 1);
    hearAll();
    expect(pieces).toEqual([100, 240, 339]);
  });

  it('is heard once when heard in small steps, and cut in place', () => {
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

it('PlayoutBuffer counts as sounding until a device has played its rest after a cut', () => {
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
  it('is appended to the previous short one, in both versions', () => {
    const last = run(7, 2);
    expect(appendToRun(last, run(9, 3))).toBe(true);
    expect([...last.samples]).toEqual([8, 9, 10, 11, 12]);
    expect([...last.sound]).toEqual([-8, -9, -10, -11, -12]);
  });

  it('fills a buffer up to ten long pieces', () => {
    const last = run(0, 200);
    for (let from = 200; from < 2400; from += 200)
      expect(appendToRun(last, run(from, 200))).toBe(true);
    expect(appendToRun(last, run(2400, 1))).toBe(false);
    expect([...last.samples]).toEqual([...numbered(0, 2400)]);
  });

  it('is not appended to a long one', () => {
    expect(appendToRun(run(0, 239), run(239, 1))).toBe(true);
    expect(appendToRun(run(0, 240), run(240, 1))).toBe(false);
  });

  it('is not appended to another turn or to inserted sound', () => {
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
