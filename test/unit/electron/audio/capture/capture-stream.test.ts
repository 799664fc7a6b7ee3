import { expect, it } from 'vitest';
import {
  CapturePipeline,
  CaptureStream,
} from '../../../../../electron/audio/capture/capture-pipeline.ts';
import type { MicrophoneStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';

function stage(rate = 48_000) {
  const heard: Float32Array[] = [];
  const sink = { pushAudio: (block: Float32Array) => void heard.push(block) };
  const listener = new CaptureStream(new CapturePipeline(sink, { gain: () => 1 }));
  const state = { closed: 0 };
  const stream: MicrophoneStream = {
    device: fakeBuiltIn,
    rate,
    stats: () => ({ alive: true, captured: 0, lost: 0, repaired: 0, latencyMs: 0 }),
    close: () => {
      state.closed += 1;
      return Promise.resolve();
    },
  };
  return { listener, stream, heard, state };
}

it('a capture stream resamples a device with another rate', () => {
  const { listener, stream, heard } = stage();
  listener.attach(stream).begin();
  for (let block = 0; block < 10; block += 1) listener.captured(new Float32Array(960).fill(0.5), 0);
  const samples = heard.reduce((sum, { length }) => sum + length, 0);
  expect(samples).toBeLessThanOrEqual(3200);
  expect(samples).toBeGreaterThan(3100);
  expect(heard.at(-1)?.at(-1)).toBeCloseTo(0.5, 3);
});

it('a capture stream uses no resampler for a device with the input rate', () => {
  const { listener, stream, heard } = stage(16_000);
  listener.attach(stream).begin();
  listener.captured(new Float32Array([1, 2, 3]), 0);
  expect(heard).toEqual([new Float32Array([1, 2, 3])]);
});

it('a capture stream passes nothing once it is closed, begun or not', async () => {
  for (const begins of [true, false]) {
    const { listener, stream, state, heard } = stage();
    const attached = listener.attach(stream);
    if (begins) attached.begin();
    await attached.close();
    listener.captured(new Float32Array(960), 0);
    expect([state.closed, heard]).toEqual([1, []]);
  }
});

it('a capture stream drops blocks captured before it begins or after it stops', () => {
  const { listener, stream, heard } = stage(16_000);
  listener.captured(new Float32Array(2), 0);
  const attached = listener.attach(stream);
  listener.captured(new Float32Array(3), 0);
  attached.begin();
  listener.captured(new Float32Array(4), 1);
  attached.stop();
  listener.captured(new Float32Array(5), 2);
  expect(heard.map(({ length }) => length)).toEqual([4]);
});
