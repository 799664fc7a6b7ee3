import { failure } from '../../../../../shared/errors/app-error.ts';
import { expect, it } from 'vitest';
import { CapturePipeline } from '../../../../../electron/sound/capture/capture-pipeline.ts';
import { CaptureStream } from '../../../../../electron/sound/capture/capture-stream.ts';
import type { Outcome } from '../../../../../electron/ports/outcome.ts';
import type { MicrophoneStream, Resampler } from '../../../../../electron/ports/sound.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { FakeResampler } from '../../../../fakes/fake-resampler.ts';
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

const thirdOf = (value: Resampler): (() => Promise<Outcome<Resampler>>) => {
  return () => Promise.resolve({ ok: true, value });
};

it('keeps sound back until the resampler is there, and then splices nothing', async () => {
  const { listener, stream, heard } = stage();
  const loading = deferred();
  const resampler = new FakeResampler(48_000, 16_000);
  const attaching = listener.attach(stream, async () => {
    await loading.promise;
    return { ok: true, value: resampler };
  });
  listener.captured(new Float32Array(6).fill(1), 0);
  loading.resolve();
  const attached = await attaching;
  if (!attached.ok) throw new Error(attached.error.code);
  expect(heard).toEqual([]);
  attached.value.begin();
  listener.captured(new Float32Array(9).fill(2), 0.125);
  expect(heard).toEqual([new Float32Array(2).fill(1), new Float32Array(3).fill(2)]);
});

it('goes without a resampler where the device has our rate', async () => {
  const { listener, stream, heard } = stage(16_000);
  const attached = await listener.attach(stream, () => Promise.reject(new Error('not wanted')));
  if (!attached.ok) throw new Error(attached.error.code);
  attached.value.begin();
  listener.captured(new Float32Array(3), 0);
  expect(heard).toHaveLength(1);
});

it('closes a stream whose sound nobody could understand', async () => {
  const { listener, stream, state } = stage();
  const refused = failure('soundMissing');
  expect(await listener.attach(stream, () => Promise.resolve(refused))).toBe(refused);
  expect(state.closed).toBe(1);
});

it('closes the resampler with the stream, whether it was ever begun or came too late', async () => {
  for (const begins of [true, false]) {
    const { listener, stream, state, heard } = stage();
    const resampler = new FakeResampler(48_000, 16_000);
    const attached = await listener.attach(stream, thirdOf(resampler));
    if (!attached.ok) throw new Error(attached.error.code);
    if (begins) attached.value.begin();
    await attached.value.close();
    listener.captured(new Float32Array(960), 0);
    expect([resampler.closed, state.closed, heard]).toEqual([true, 1, []]);
  }
});

it('drops what nobody wanted yet, and what comes after it was let go', async () => {
  const { listener, stream, heard } = stage(16_000);
  const attached = await listener.attach(stream, () => Promise.reject(new Error('not wanted')));
  if (!attached.ok) throw new Error(attached.error.code);
  listener.captured(new Float32Array(3), 0);
  attached.value.begin();
  listener.captured(new Float32Array(4), 1);
  attached.value.stop();
  listener.captured(new Float32Array(5), 2);
  expect(heard.map(({ length }) => length)).toEqual([4]);
});
