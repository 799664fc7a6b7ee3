import { describe, expect, it } from 'vitest';
import type { SpeakerStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import { FarEndSignal, SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';
import {
  capturedClock,
  GapDetector,
  playedClock,
  SmoothedClock,
  type TimestampTraits,
} from '../../../../../electron/audio/echo/smoothed-clock.ts';

const sine = (from: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, n) => 0.5 * Math.sin(((from + n) * 2 * Math.PI) / 61.7));

function setUp() {
  const clock = new FakeClock();
  const played = new FarEndSignal();
  const driver = played.watch(new FakeSoundDriver(clock));
  const open = async (): Promise<SpeakerStream> => {
    const opened = await driver.openSpeaker('default', outputRate);
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 10) clock.advance(10);
  };
  /** The 20 ms heard `ms` ago. */
  const heardAgo = (ms: number): Float32Array => {
    const reference = new Float32Array(320);
    const { fill } = played;
    fill(reference, clock.now() - ms);
    return reference;
  };
  return { open, pass, heardAgo };
}

const loudest = (block: Float32Array): number =>
  block.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

describe('FarEndSignal', () => {
  it('finds playback at the time at which it was heard, at the captured rate', async () => {
    const { open, pass, heardAgo } = setUp();
    const speaker = await open();
    pass(100);
    speaker.write(sine(0, outputRate / 2));
    pass(300);
    const reference = heardAgo(100);
    // The fake plays at once, and its sound is heard 20 ms later.
    const since = 300 - 100 - 20;
    const exact = Float32Array.from(reference, (_, n) => {
      return 0.5 * Math.sin(((since + n / 16) * 24 * 2 * Math.PI) / 61.7);
    });
    const off = reference.map((sample, n) => sample - (exact[n] ?? 0));
    expect(loudest(reference)).toBeGreaterThan(0.45);
    expect(loudest(off)).toBeLessThan(0.02);
    await speaker.close();
  });

  it('keeps the playback of a closed stream and adds that of the next stream', async () => {
    const { open, pass, heardAgo } = setUp();
    const first = await open();
    first.write(sine(0, outputRate / 10));
    pass(200);
    expect(loudest(heardAgo(120))).toBeGreaterThan(0.4);
    await first.close();
    expect(loudest(heardAgo(120))).toBeGreaterThan(0.4);
    const second = await open();
    second.write(sine(0, outputRate / 5));
    pass(200);
    expect(loudest(heardAgo(50))).toBeGreaterThan(0.4);
    expect(loudest(heardAgo(320))).toBeGreaterThan(0.4);
    await second.close();
  });

  it('keeps a stream that still plays after any number of shorter ones', async () => {
    const { open, pass, heardAgo } = setUp();
    const answer = await open();
    for (let tone = 0; tone < 3; tone += 1) await (await open()).close();
    answer.write(sine(0, outputRate / 10));
    pass(200);
    expect(loudest(heardAgo(120))).toBeGreaterThan(0.4);
    await answer.close();
  });
});

/** A sound of tones below 6 kHz that never repeats, as a function of milliseconds. */
function createSound(seed: number): (ms: number) => number {
  const random = seeded(seed);
  const waves = Array.from({ length: 12 }, () => [100 + random() * 5900, random() * 7] as const);
  return (ms) =>
    waves.reduce((sum, [hertz, at]) => sum + Math.sin((hertz * ms * Math.PI) / 500 + at), 0) / 12;
}

const reference = (memoryMs?: number) =>
  new SpeakerHistory({
    playedRate: 24_000,
    capturedRate: 16_000,
    ...(memoryMs === undefined ? {} : { memoryMs }),
  });

const samples = (length: number, value: (n: number) => number) =>
  Float32Array.from({ length }, (_, n) => value(n));

function decibelsAboveError(got: Float32Array, expected: (n: number) => number): number {
  let signal = 0;
  let error = 0;
  got.forEach((sample, n) => {
    signal += expected(n) ** 2;
    error += (sample - expected(n)) ** 2;
  });
  return 10 * Math.log10(signal / error);
}

const read = (from: SpeakerHistory, length: number, at: number) => {
  const found = new Float32Array(length).fill(9);
  from.fill(found, at);
  return found;
};

describe('SpeakerHistory', () => {
  it('finds what was heard at a time, for any block size and delay', () => {
    for (let seed = 0; seed < randomRuns(15); seed += 1) {
      const random = seeded(seed);
      const sound = createSound(seed);
      const origin = random() * 1e6;
      // Short enough for the ring to wrap many times.
      const echo = reference(150);
      const before = Math.floor(random() * 1e6);
      let played = 0;
      while (played < 24_000) {
        const start = played;
        const length = Math.floor(random() * 900);
        const block = samples(length, (n) => sound(origin + (start + n) / 24));
        echo.played(block, before + played, origin + played / 24);
        block.fill(3);
        played += length;
        if (played < 2880) continue;
        const at = origin + played / 24 - 40 - random() * 70;
        const found = read(echo, 320, at);
        expect(decibelsAboveError(found, (n) => sound(at + n / 16))).toBeGreaterThan(45);
      }
    }
  });

  it('is silent before, between and after playback', () => {
    const echo = reference();
    expect(read(echo, 5, 0)).toEqual(new Float32Array(5));
    const ones = new Float32Array(4800).fill(1);
    echo.played(ones, 0, 1000);
    // The queue was empty for 300 ms, which the speaker does not count.
    echo.played(ones, 4800, 1500);
    const found = read(echo, 16 * 1000, 900);
    const loud = (from: number, to: number) =>
      found.subarray(from * 16, to * 16).every((sample) => Math.abs(sample - 1) < 0.01);
    expect(found.subarray(0, 1600).every((sample) => sample === 0)).toBe(true);
    expect(loud(105, 295)).toBe(true);
    expect(found.subarray(300 * 16 + 1, 600 * 16).every((sample) => sample === 0)).toBe(true);
    expect(loud(605, 795)).toBe(true);
    expect(found.subarray(800 * 16 + 1).every((sample) => sample === 0)).toBe(true);
  });

  it('leaves a gap for every lost sample', () => {
    const sound = createSound(2);
    const echo = reference();
    for (let position = 0; position < 24_000; position += 480) {
      const block = samples(480, (n) => sound((position + n) / 24));
      if (position === 9600) echo.played(block.subarray(0, 360), position, position / 24);
      else echo.played(block, position, position / 24);
    }
    expect(read(echo, 78, 415.1)).toEqual(new Float32Array(78));
    const found = read(echo, 320, 425);
    expect(decibelsAboveError(found, (n) => sound(425 + n / 16))).toBeGreaterThan(45);
  });

  it('restarts with a stream that counts from zero', () => {
    const echo = reference();
    echo.played(new Float32Array(24_000).fill(0.5), 0, 0);
    echo.played(new Float32Array(2400).fill(1), 0, 600);
    const found = read(echo, 320, 650);
    expect(found.every((sample) => Math.abs(sample - 1) < 0.01)).toBe(true);
    expect(Math.abs((read(echo, 320, 500)[100] ?? 0) - 0.5)).toBeLessThan(0.01);
  });

  it('drops sound older than its limit even within one huge block', () => {
    const echo = reference(100);
    const level = samples(24_000, (n) => Math.floor(n / 2400) / 10);
    echo.played(level, 0, 0);
    expect(read(echo, 320, 870).every((sample) => sample === 0)).toBe(true);
    expect(read(echo, 320, 940).every((sample) => Math.abs(sample - 0.9) < 0.01)).toBe(true);
    echo.played(new Float32Array(2400).fill(1), 24_000, 5000);
    expect(read(echo, 320, 940)).toEqual(new Float32Array(320));
    expect(read(echo, 320, 5040).every((sample) => Math.abs(sample - 1) < 0.01)).toBe(true);
  });
});

const rate = 24_000;
const block = 480;
const second = rate / block;
const kinds = [
  ['captured', capturedClock],
  ['played', playedClock],
] as const;

/** The clock’s error every 20 ms, for reports with the given jitter. */
function measureErrors(
  habits: TimestampTraits,
  seconds: number,
  reported: (truth: number, ms: number) => number,
  driftPerMillion = 0,
): readonly number[] {
  const step = (1000 / rate) * (1 + driftPerMillion / 1e6);
  const line = new SmoothedClock(rate, 0, reported(5000, 0), habits);
  const offs: number[] = [];
  for (let position = block; position < seconds * rate; position += block) {
    const truth = 5000 + position * step;
    const time = reported(truth, position / 24);
    expect(line.fits(position, time)).toBe(true);
    line.report(position, time);
    offs.push(line.timeOf(position - 2400) - (truth - 2400 * step));
  }
  return offs;
}

const worst = (offs: readonly number[]): number => Math.max(...offs.map(Math.abs));

/** The largest drift within a second. */
function maxDrift(offs: readonly number[]): number {
  return worst(offs.slice(second).map((off, n) => off - (offs[n] ?? 0)));
}

describe('SmoothedClock', () => {
  it.each([0, 50, -50, 200, -200])('follows a crystal that is off by %d ppm', (drift) => {
    for (const [, habits] of kinds) {
      const offs = measureErrors(habits, 60, (truth) => truth, drift);
      expect(worst(offs)).toBeLessThan(1.5);
      expect(maxDrift(offs.slice(20 * second))).toBeLessThan(0.05);
      expect(worst(offs.slice(50 * second))).toBeLessThan(0.15);
    }
  });

  it('is stable despite jitter', () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const random = seeded(seed);
      for (const [kind, habits] of kinds) {
        const most = kind === 'captured' ? 2 : 0.3;
        const tremble = (truth: number): number => truth + (random() - 0.5) * most;
        const offs = measureErrors(habits, 60, tremble, seed * 10 - 50).slice(2 * second);
        expect(worst(offs)).toBeLessThan(3);
        expect(maxDrift(offs)).toBeLessThan(0.06);
      }
    }
  });

  it('follows a speaker within 120 ms after a break, despite early first times', () => {
    const early = [-6, -2.5, -1.5, -0.5];
    const line = new SmoothedClock(rate, 0, early[0] ?? 0, playedClock);
    for (let report = 1; report < 50; report += 1) {
      line.report(report * block, report * 20 + (early[report] ?? 0));
      if (report >= 6)
        expect(Math.abs(line.timeOf(report * block) - report * 20)).toBeLessThan(0.5);
    }
  });

  it('follows a speaker that shifts by some milliseconds, but not a microphone', () => {
    const random = seeded(3);
    const moved = (truth: number, ms: number): number =>
      truth + (ms > 30_000 ? 5 : 0) + random() * 0.4 - 0.2;
    const [played, captured] = [
      measureErrors(playedClock, 34, moved),
      measureErrors(capturedClock, 34, moved),
    ];
    expect(worst(played.slice(31 * second).map((off) => off - 5))).toBeLessThan(0.5);
    expect(worst(captured)).toBeLessThan(2);
  });

  it.each(kinds)('distinguishes a gap from jitter: %s', (_kind, habits) => {
    const line = new SmoothedClock(rate, 480, 100, habits);
    expect(line.fits(960, 120)).toBe(true);
    expect(line.fits(960, 120 + habits.gapMs - 0.1)).toBe(true);
    expect(line.fits(960, 120 + habits.gapMs + 0.1)).toBe(false);
    expect(line.fits(960, 120 - habits.gapMs - 0.1)).toBe(false);
    expect(line.fits(479, 100)).toBe(false);
    expect(line.fits(960, Number.NaN)).toBe(false);
  });
});

/** Milliseconds until a gap is detected, in blocks of 20 ms. */
function seenAfter(offMs: number, tremble = 0): number | undefined {
  const watch = new GapDetector();
  for (let block = 1; block <= 100; block += 1) {
    const off = offMs + (block % 2 === 0 ? tremble : -tremble);
    if (watch.isGap(off, 20)) return block * 20;
  }
  return undefined;
}

describe('GapDetector', () => {
  it('ignores a timestamp error that lasts up to a fifth of a second', () => {
    const watch = new GapDetector();
    for (let slip = 0; slip < 50; slip += 1) {
      for (let block = 0; block < 10; block += 1) expect(watch.isGap(-16, 20)).toBe(false);
      watch.reset();
    }
  });

  it.each([
    [20, 120],
    [-20, 400],
    [50, 60],
    [-50, 60],
    [300, 20],
    [-3600_000, 20],
  ])('detects a gap of %d ms after %d ms', (off, after) => {
    expect(seenAfter(off)).toBe(after);
    expect(seenAfter(off, 1.5)).toBe(after);
  });

  it('ignores timestamps that disagree with each other', () => {
    expect(seenAfter(40, 8)).toBeUndefined();
  });
});
