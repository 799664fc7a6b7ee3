import { describe, expect, it } from 'vitest';
import type { SpeakerStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import { FarEndSignal, SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';

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
  it('finds playback at the time it was heard, at the captured rate', async () => {
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

  it('is silent where nothing was played', async () => {
    const { open, pass, heardAgo } = setUp();
    expect(loudest(heardAgo(100))).toBe(0);
    const speaker = await open();
    pass(500);
    expect(loudest(heardAgo(100))).toBe(0);
    await speaker.close();
  });

  it('keeps the playback of a closed stream and adds that of the next', async () => {
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
});

/** A sound without repetition below 6 kHz, as a function of milliseconds. */
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
  it('treats silence like very quiet sound', () => {
    for (let seed = 0; seed < randomRuns(15); seed += 1) {
      const random = seeded(seed);
      const [silent, quiet] = [reference(300), reference(300)];
      for (let played = 0; played < 12_000; played += 240) {
        const loud = random() < 0.3;
        const block = samples(240, (n) => (loud && n < 100 + (seed % 3) * 70 ? random() - 0.5 : 0));
        silent.played(block, played, played / 24);
        quiet.played(
          block.map((sample) => (sample === 0 ? 1e-30 : sample)),
          played,
          played / 24,
        );
        const at = played / 24 - 30 + random();
        const [of, as] = [read(silent, 320, at), read(quiet, 320, at)];
        const off = of.map((sample, n) => Math.abs(sample - (as[n] ?? 9)));
        expect(Math.max(...off)).toBeLessThan(1e-25);
      }
    }
  });

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

  it('is within one sample while the clock drifts', () => {
    for (const drift of [1.0001, 0.9999]) {
      const sound = createSound(5);
      const echo = reference();
      for (let position = 0; position < 24_000 * 60; position += 480) {
        // Only the last second is compared, because the sound is costly to compute.
        const block = samples(480, (n) =>
          position < 24_000 * 59 ? 0 : sound(((position + n) / 24) * drift),
        );
        echo.played(block, position, (position / 24) * drift);
      }
      const at = 59_500 * drift;
      const found = read(echo, 320, at);
      // A constant offset is part of the echo path.
      const offs = Array.from({ length: 41 }, (_, n) => (n - 20) / 20 / 16);
      const best = offs.map((off) => decibelsAboveError(found, (n) => sound(at + off + n / 16)));
      // A quarter of a sample of error would leave 12 dB.
      expect(Math.max(...best)).toBeGreaterThan(25);
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

  it('lets no frequencies above the captured Nyquist rate alias', () => {
    const echo = reference();
    echo.played(
      samples(24_000, (n) => Math.sin((2 * Math.PI * 10_000 * n) / 24_000)),
      0,
      0,
    );
    const loudest = read(echo, 3200, 300).reduce((peak, x) => Math.max(peak, Math.abs(x)), 0);
    expect(loudest).toBeLessThan(1e-3);
  });

  it('ignores empty blocks', () => {
    const echo = reference();
    echo.played(new Float32Array(480).fill(1), 0, Number.NaN);
    echo.played(new Float32Array(), 0, 5);
    expect(read(echo, 16, 5)).toEqual(new Float32Array(16));
    echo.played(new Float32Array(480).fill(1), 480, 20);
    expect(read(echo, 16, Number.NaN)).toEqual(new Float32Array(16));
  });
});
