import { describe, expect, it } from 'vitest';
import { CapturePipeline } from '../../../../../electron/audio/capture/capture-pipeline.ts';
import { resample, TimedResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import { isEchoCancelled } from '../../../../../electron/audio/echo/echo-canceller.ts';
import { SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, powerDb } from '../../../../fakes/echo-room.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

const blockMs = 20;
const seconds = 12;
/** When the devices change, in seconds. */
const changeAt = 6;

/** The microphone’s rate and the speaker’s name after the change. */
interface Change {
  readonly rate: number;
  readonly speaker: string;
}

/** Captures a room with an answer, during which the devices change. */
async function captureWithChange({ rate, speaker }: Change) {
  const room = echoRoom({ seed: 31, seconds, echoDb: -22 });
  const speech = resample(room.played, inputRate, outputRate);
  const fast = resample(room.microphone, inputRate, rate);
  const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
  let currentSpeaker = 'Built-in Audio';
  const echo = new EchoCancellation({
    open: () => new AdaptiveCanceller(),
    farEnd: {
      get speaker() {
        return currentSpeaker;
      },
      fill: (into, from, stepMs) => {
        reference.fill(into, from, stepMs);
      },
    },
    log: new FakeLog(),
    isEnabled: (devices) => isEchoCancelled('auto', devices),
  });
  await Promise.resolve();
  const sent: number[] = [];
  const states: string[] = [];
  const sink = { pushAudio: (block: Float32Array) => void sent.push(...block) };
  const pipeline = new CapturePipeline(sink, { gain: () => 1 }, echo);
  pipeline.begin(undefined, 'Desk');
  for (let ms = 0; ms < seconds * 1000; ms += blockMs) {
    const ahead = ((ms + 2 * blockMs) * outputRate) / 1000;
    reference.played(
      speech.subarray(ahead, ahead + (blockMs * outputRate) / 1000),
      ahead,
      ms + 2 * blockMs,
    );
    if (ms === changeAt * 1000) {
      currentSpeaker = speaker;
      if (rate !== inputRate)
        pipeline.begin(new TimedResampler(rate, inputRate), 'Another microphone');
    }
    const now = ms < changeAt * 1000 ? inputRate : rate;
    const captured = now === inputRate ? room.microphone : fast;
    pipeline.push(captured.slice((ms * now) / 1000, ((ms + blockMs) * now) / 1000), ms);
    states.push(pipeline.echo);
  }
  const reductionDb = (from: number, to: number): number =>
    powerDb(room.microphone, from, to) - powerDb(Float32Array.from(sent), from, to);
  return { room, sent, states, reductionDb };
}

describe('echo cancellation after a change of devices during an answer', () => {
  it('continues with another microphone at another rate', async () => {
    const { states, reductionDb } = await captureWithChange({
      rate: 48_000,
      speaker: 'Built-in Audio',
    });
    expect(reductionDb(4, 6)).toBeGreaterThan(25);
    expect(reductionDb(8.5, 11.5)).toBeGreaterThan(25);
    expect(states.at(-1)).toBe('heard');
  });

  it('stops at once for a headset, and then passes every sample unchanged', async () => {
    const { room, sent, states, reductionDb } = await captureWithChange({
      rate: inputRate,
      speaker: 'USB Headset',
    });
    expect(reductionDb(4, 6)).toBeGreaterThan(25);
    expect(states[(changeAt * 1000) / blockMs]).toBe('off');
    const from = (changeAt + 1) * inputRate;
    const after = sent.slice(from, from + inputRate);
    expect(after.every((sample, n) => sample === room.microphone[from + n])).toBe(true);
  });
});
