import { expect, it } from 'vitest';
import type { AudioSink } from '../../../../../electron/audio/capture/capture-pipeline.ts';
import { LoopbackTest } from '../../../../../electron/audio/devices/loopback-test.ts';
import type { DeviceEvent } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { resample } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { type AppError, appError } from '../../../../../shared/errors/app-error.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

const blockMs = 20;

/** Simulates a room that returns playback after a delay at half the level, or not at all. */
async function listenIn({
  backAfterMs = 0,
  deaf = false,
  error = undefined as AppError | undefined,
}) {
  const clock = new FakeClock();
  let sink: AudioSink = { pushAudio: () => undefined };
  let ended = 0;
  let air: { readonly sound: Float32Array; readonly from: number } | undefined;
  const opened = { end: () => Promise.resolve(void (ended += 1)) };
  const devices = {
    openMicrophone: (_choice: unknown, listener: AudioSink) => {
      sink = listener;
      return Promise.resolve(opened);
    },
    openSpeaker: (_choice: unknown, emit: (event: DeviceEvent) => void) => {
      if (error !== undefined) emit({ kind: 'lost', error });
      const write = (sound: Float32Array): void => {
        air = { sound: resample(sound, outputRate, inputRate), from: clock.now() + backAfterMs };
      };
      return Promise.resolve({ ...opened, write, setVolume: () => undefined });
    },
  };
  const result = new LoopbackTest(devices, clock).run();
  for (let ms = 0; ms < 5000; ms += blockMs) {
    // Lets promises between the timers run.
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(blockMs);
    const block = new Float32Array((inputRate * blockMs) / 1000);
    const at = ((clock.now() - blockMs - (air?.from ?? 0)) * inputRate) / 1000;
    const hum = (n: number): number => (n % 2 === 0 ? 0.001 : -0.001);
    if (!deaf) block.forEach((_, n) => (block[n] = 0.5 * (air?.sound[at + n] ?? 0) + hum(n)));
    sink.pushAudio(block);
  }
  return { result: await result, ended };
}

it('the loopback test reports the delay and level of the chirp, and the noise before it', async () => {
  const { result, ended } = await listenIn({ backAfterMs: 140 });
  expect(result).toEqual({ heard: true, latencyMs: 140, levelDb: -6, noiseDb: -60 });
  expect(ended).toBe(2);
});

it('the loopback test reports that no chirp came back', async () => {
  const { result } = await listenIn({ deaf: true });
  expect(result).toMatchObject({ heard: false });
});

it('the loopback test reports why a device cannot be opened, without waiting', async () => {
  const error = appError('deviceTaken', { device: 'Box' });
  const { result, ended } = await listenIn({ error });
  expect({ result, ended }).toEqual({ result: { heard: false, error }, ended: 2 });
});
