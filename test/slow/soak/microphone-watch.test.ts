import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UplinkBacklog } from '../../../electron/talk/uplink-backlog.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { SoundTape } from '../../bench/conversation/sound-tape.ts';
import { seeded } from '../../fakes/seeded.ts';
import { MicrophoneWatch } from '../../soak/microphone-watch.ts';

const block = inputRate / 50;
const blockMs = 20;
/** From an append's last sample to its arrival. */
const wayMs = 25;
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

/** Captures so many blocks, which a talk sends in chunks of a second; of `swallowed` the talk hears nothing. */
function captured(blocks: number, speaks: boolean, swallowed = false): void {
  for (let count = 0; count < blocks; count += 1) {
    const level = speaks ? 0.3 : 0.004;
    const samples = Float32Array.from({ length: block }, () => (random() * 2 - 1) * level);
    now += blockMs;
    microphone.push(samples, now);
    if (!swallowed) backlog.push(samples, speaks);
    sendChunks();
    vi.advanceTimersByTime(blockMs);
  }
}

function sendChunks(): void {
  while (chunk.length >= inputRate) {
    const samples = chunk.splice(0, inputRate);
    const end = samples.slice(-endSamples);
    const append = { kind: 'append', session, samples: samples.length, frames: 0, end } as const;
    watch.heard({ ...append, at: now + wayMs });
    backlog.onTaken(samples.length);
  }
}

/** Another session takes over and has all that was not answered yet. */
function handOver(): void {
  [session, chunk] = [2, []];
  backlog.prepareHandOver();
  backlog.release();
  sendChunks();
}

it('silence that a hand-over leaves out does not count as lost sound', () => {
  captured(100, false);
  captured(47, true);
  // After a second and a half the waiting itself is left out: 520 ms of it.
  captured(101, false);
  handOver();
  captured(150, false);
  vi.advanceTimersByTime(1000);
  expect(watch.lostMs).toBe(0);
  expect(watch.holes.at(-1)).toEqual({ session: 2, ms: 520, spoken: false });
});

it.each([
  { name: 'in the first session', handsOver: false },
  { name: 'right after a hand-over', handsOver: true },
])('finds 520 ms that were lost, $name', ({ handsOver }) => {
  captured(100, false);
  captured(50, true);
  captured(handsOver ? 60 : 0, false);
  if (handsOver) handOver();
  captured(30, false);
  captured(26, false, true);
  captured(150, false);
  vi.advanceTimersByTime(1000);
  expect(watch.lostMs).toBe(520);
});
