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
const change = 6;
const anotherRate = 48_000;

interface Change {
  /** The microphone’s rate after six seconds. */
  readonly rate: number;
  /** The speaker after six seconds. */
  readonly speaker: string;
}

/** A microphone in a room with an answer, during which the devices change. */
async function heardThrough({ rate, speaker }: Change) {
  const room = echoRoom({ seed: 31, seconds, echoDb: -22 });
  const speech = resample(room.played, inputRate, outputRate);
  const fast = resample(room.microphone, inputRate, rate);
  const reference = new SpeakerHistory({ playedRate: outputRate, capturedRate: inputRate });
  let plays = 'Built-in Audio';
  const echo = new EchoCancellation({
    open: () => new AdaptiveCanceller(),
    farEnd: {
      get speaker() {
        return plays;
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
    if (ms === change * 1000) {
      plays = speaker;
      if (rate !== inputRate)
        pipeline.begin(new TimedResampler(rate, inputRate), 'Another microphone');
    }
    const now = ms < change * 1000 ? inputRate : rate;
    const captured = now === inputRate ? room.microphone : fast;
    pipeline.push(captured.slice((ms * now) / 1000, ((ms + blockMs) * now) / 1000), ms);
    states.push(pipeline.echo);
  }
  const takenIn = (from: number, to: number): number =>
    powerDb(room.microphone, from, to) - powerDb(Float32Array.from(sent), from, to);
  return { room, sent, states, takenIn };
}

describe('a change of devices during an answer', () => {
  it('keeps cancelling with another microphone at another rate', async () => {
    const { states, takenIn } = await heardThrough({
      rate: anotherRate,
      speaker: 'Built-in Audio',
    });
    expect(takenIn(4, 6)).toBeGreaterThan(25);
    expect(takenIn(8.5, 11.5)).toBeGreaterThan(25);
    expect(states.at(-1)).toBe('heard');
  });

  it('stops cancelling at once for a headset, without losing a sample', async () => {
    const { room, sent, states, takenIn } = await heardThrough({
      rate: inputRate,
      speaker: 'USB Headset',
    });
    expect(takenIn(4, 6)).toBeGreaterThan(25);
    expect(states[(change * 1000) / blockMs]).toBe('off');
    const from = (change + 1) * inputRate;
    const same = sent.slice(from, from + inputRate);
    expect(same.every((sample, n) => sample === room.microphone[from + n])).toBe(true);
  });
});
