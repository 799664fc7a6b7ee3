import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VoiceDetector } from '../../../electron/audio/detection/voice-detector.ts';
import { CaptureEnhancement } from '../../../electron/audio/enhance/capture-enhancement.ts';
import { UplinkBacklog } from '../../../electron/talk/uplink.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { SoundTape } from '../../bench/conversation/sound-tape.ts';
import { RoomSound } from '../../bench/conversation/voice.ts';
import { seeded } from '../../fakes/seeded.ts';
import { fitLine, riseByChance } from '../../soak/linear-fit.ts';
import { MicrophoneWatch } from '../../soak/microphone-watch.ts';

const points = 20;
const random = seeded(7);
/** Approximately normal noise with a standard deviation of 1. */
const noise = (): number => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);

const runs = (scatterMs: number, driftMs: number): readonly (readonly number[])[] =>
  Array.from({ length: 400 }, () =>
    Array.from({ length: points }, (_, n) => 60 + scatterMs * noise() + (driftMs * n) / points),
  );

/** The fitted change from the first to the last value. */
const riseOf = (values: readonly number[]): number =>
  Math.abs(fitLine(values.map((value, n) => [n, value])).slope * points);

it('a fit finds a drift in less than 12 % of runs with the noise of a busy machine alone', () => {
  const detected = runs(80, 0).filter((values) => riseOf(values) > riseByChance(values));
  expect(detected.length / 400).toBeLessThan(0.12);
});

it('a fit detects a drift of 30 ms in at least 95 % of runs on a calm machine', () => {
  const detected = runs(5, 30).filter(
    (values) => riseOf(values) > Math.max(20, riseByChance(values)),
  );
  expect(detected.length / 400).toBeGreaterThan(0.95);
});

describe('the room sound of the soak', () => {
  const blockMs = 20;
  const loud = 0.02;
  /** Pre-roll: sound from before the detection that is sent with the speech. */
  const preRollMs = 320;

  it('has a voice that is detected within half the pre-roll, three times in a row', () => {
    const room = new RoomSound();
    const enhancement = new CaptureEnhancement(() => ({ noise: 'off', level: 'off' }));
    const detector = new VoiceDetector(inputRate);
    for (let time = 0; time < 3; time += 1) {
      let [loudMs, knownMs] = [Infinity, Infinity];
      for (let ms = -1000; ms < 2000; ms += blockMs) {
        if (ms === 0) room.speak();
        const block = room.next((inputRate * blockMs) / 1000);
        if (block.some((sample) => Math.abs(sample) > loud)) loudMs = Math.min(loudMs, ms);
        enhancement.process(block);
        detector.push(block, enhancement.likelihood);
        if (detector.isSpeaking) knownMs = Math.min(knownMs, ms);
      }
      expect(loudMs).toBeLessThan(200);
      expect(knownMs).toBeGreaterThanOrEqual(loudMs - blockMs);
      expect(knownMs - loudMs).toBeLessThan(preRollMs / 2);
      expect(detector.isSpeaking).toBe(false);
    }
  });
});

describe('the microphone watch of the soak', () => {
  const block = inputRate / 50;
  const blockMs = 20;
  /** From an append's last sample to its arrival. */
  const transportMs = 25;
  const endSamples = 640;

  let microphone: SoundTape;
  let watch: MicrophoneWatch;
  let backlog: UplinkBacklog;
  let random: () => number;
  let now: number;
  let session: number;
  let chunk: number[];

  beforeEach(() => {
    vi.useFakeTimers();
    microphone = new SoundTape(inputRate);
    watch = new MicrophoneWatch(microphone);
    random = seeded(1);
    [now, session, chunk] = [0, 1, []];
    backlog = new UplinkBacklog({
      session: { pushAudio: (samples) => chunk.push(...samples) },
      chunkMs: 1000,
      onSpeechLost: () => undefined,
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Captures blocks, which a talk sends in chunks of a second unless they are lost. */
  function capture(blocks: number, speaks: boolean, isLost = false): void {
    for (let count = 0; count < blocks; count += 1) {
      const level = speaks ? 0.3 : 0.004;
      const samples = Float32Array.from({ length: block }, () => (random() * 2 - 1) * level);
      now += blockMs;
      microphone.push(samples, now);
      if (!isLost) backlog.push(samples, speaks);
      sendChunks();
      vi.advanceTimersByTime(blockMs);
    }
  }

  function sendChunks(): void {
    while (chunk.length >= inputRate) {
      const samples = chunk.splice(0, inputRate);
      const end = samples.slice(-endSamples);
      const append = { kind: 'append', session, samples: samples.length, frames: 0, end } as const;
      watch.heard({ ...append, at: now + transportMs });
      backlog.onTaken(samples.length);
    }
  }

  /** Another session takes over and gets the sound that was not answered yet. */
  function handOver(): void {
    [session, chunk] = [2, []];
    backlog.prepareHandOver();
    backlog.release();
    sendChunks();
  }

  it('silence that a hand-over leaves out is not counted as lost sound', () => {
    capture(100, false);
    capture(47, true);
    // A wait beyond a second and a half is left out: here 520 ms.
    capture(101, false);
    handOver();
    capture(150, false);
    vi.advanceTimersByTime(1000);
    expect(watch.lostMs).toBe(0);
    expect(watch.unsentParts.at(-1)).toEqual({ session: 2, ms: 520, spoken: false });
  });

  it.each([
    { name: 'in the first session', handsOver: false },
    { name: 'right after a hand-over', handsOver: true },
  ])('520 ms of lost sound are found $name', ({ handsOver }) => {
    capture(100, false);
    capture(50, true);
    capture(handsOver ? 60 : 0, false);
    if (handsOver) handOver();
    capture(30, false);
    capture(26, false, true);
    capture(150, false);
    vi.advanceTimersByTime(1000);
    expect(watch.lostMs).toBe(520);
  });
});
