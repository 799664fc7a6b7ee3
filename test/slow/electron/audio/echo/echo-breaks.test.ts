import { describe, expect, it } from 'vitest';
import { resample } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import { SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, powerDb } from '../../../../fakes/echo-room.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const seconds = 30;
const samples = seconds * inputRate;
const block = inputRate / 50;
const samplesPerMs = inputRate / 1000;
const ratio = outputRate / inputRate;
/** The echo paths, direct and reflected: delay in samples, and gain. */
const paths = [
  [640, 0.5],
  [900, 0.08],
  [1400, -0.05],
  [2300, 0.03],
] as const;

/** Uninterrupted playback. All values are in samples. */
interface Stretch {
  /** When the room hears it. */
  readonly at: number;
  /** Its start in the played signal. */
  readonly from: number;
  readonly length: number;
}

/** After five seconds, playback pauses for 12 to 62 ms, once or twice a second. */
function makeStretches(random: () => number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [at, from, length] = [0, 0, 5 * inputRate];
  while (at < samples) {
    stretches.push({ at, from, length: Math.min(length, samples - at) });
    at += length + Math.round((0.012 + 0.05 * random()) * inputRate);
    from += length;
    length = Math.round((0.4 + 0.8 * random()) * inputRate);
  }
  return stretches;
}

/** Reports playback 40 ms ahead like a sound card, with the first 40 ms after a break stamped too early by `earlyMs`. */
function createReporter(
  reference: SpeakerHistory,
  played: Float32Array,
  stretches: readonly Stretch[],
) {
  const speech = resample(played, inputRate, outputRate);
  const reports = stretches.flatMap(({ at, from, length }, index) =>
    Array.from({ length: Math.floor(length / 160) }, (_, n) => ({
      at: at + n * 160,
      from: from + n * 160,
      count: n === Math.floor(length / 160) - 1 ? 160 + (length % 160) : 160,
      isEarly: index > 0 && n < 4,
      index,
    })),
  );
  let next = 0;
  return (until: number, earlyMs: (stretch: number) => number): void => {
    for (; next < reports.length; next += 1) {
      const report = reports[next];
      if (report === undefined || report.at >= until) return;
      const [start, end] = [report.from, report.from + report.count].map((n) =>
        Math.round(n * ratio),
      );
      const off = report.isEarly ? earlyMs(report.index) : 0;
      reference.played(speech.subarray(start, end), start ?? 0, report.at / samplesPerMs - off);
    }
  };
}

/** Returns the sound that Parley sends from a room with breaks in playback, and the user’s speech in it. */
async function sendWithBreaks(seed: number, speaks: readonly (readonly [number, number])[]) {
  const random = seeded(seed);
  const room = echoRoom({ seed, seconds, speaks });
  const played = room.played.map((sample) => sample * 3);
  const stretches = makeStretches(random);
  const heard = new Float32Array(samples);
  for (const { at, from, length } of stretches) heard.set(played.subarray(from, from + length), at);
  const microphone = room.voice.map((sample) => sample + 1e-5 * (random() - 0.5));
  for (const [later, share] of paths)
    for (let n = later; n < samples; n += 1)
      microphone[n] = (microphone[n] ?? 0) + share * (heard[n - later] ?? 0);
  const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
  const report = createReporter(reference, played, stretches);
  const early = stretches.map(() => 2 + 4 * random());
  const echo = new EchoCancellation({
    open: () => new AdaptiveCanceller(),
    farEnd: {
      speaker: undefined,
      get newest() {
        return reference.newest;
      },
      fill: (into, from, stepMs) => {
        reference.fill(into, from, stepMs);
      },
    },
    log: new FakeLog(),
    isEnabled: () => true,
  });
  await Promise.resolve();
  const sent = new Float32Array(samples);
  let end = 0;
  for (let at = 0; at + block <= samples; at += block) {
    report(at + 3 * block, (stretch) => early[stretch] ?? 0);
    const part = echo.process(microphone.slice(at, at + block), at / samplesPerMs);
    sent.set(part, end);
    end += part.length;
  }
  return { sent, voice: room.voice };
}

describe('breaks in playback with timestamps 2 to 6 ms early', () => {
  it.each([1, 2])('leave 99 % of blocks of 20 ms under −55 dBFS: room %i', async (seed) => {
    const { sent } = await sendWithBreaks(seed, []);
    const levels: number[] = [];
    for (let at = 8; at + 0.02 < seconds; at += 0.02) levels.push(powerDb(sent, at, at + 0.02));
    const p99 = levels.toSorted((a, b) => a - b)[Math.floor(levels.length * 0.99)];
    expect(p99).toBeLessThan(-55);
  });

  it.each([1, 2])('lower near-end speech by less than 5 dB: room %i', async (seed) => {
    const { sent, voice } = await sendWithBreaks(seed, [[8, seconds]]);
    let [both, own] = [0, 0];
    for (let n = 8 * inputRate; n + 160 < samples; n += 1) {
      // The canceller’s output is 10 ms late.
      both += (voice[n] ?? 0) * (sent[n + 160] ?? 0);
      own += (voice[n] ?? 0) ** 2;
    }
    expect(20 * Math.log10(both / own)).toBeGreaterThan(-5);
  });
});
