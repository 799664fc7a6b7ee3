import { failure } from '../../../../../shared/errors/app-error.ts';
import { expect, it } from 'vitest';
import { preloadResamplers } from '../../../../../electron/sound/devices/preloaded-resamplers.ts';
import type { Outcome } from '../../../../../electron/ports/outcome.ts';
import type {
  MicrophoneStream,
  Resampler,
  SoundDriver,
} from '../../../../../electron/ports/sound.ts';

const device = {
  name: 'd',
  hostApi: 'a',
  inputChannels: 1,
  outputChannels: 1,
  rate: 48_000,
  defaultInput: true,
  defaultOutput: true,
};

function open(rate: number, converters: () => Outcome<Resampler>) {
  const state = { closed: 0, say: (_block: Float32Array, _capturedAt: number): void => undefined };
  const stream = {
    device,
    rate,
    close: () => {
      state.closed += 1;
      return Promise.resolve();
    },
  };
  const driver = {
    openMicrophone: (_device, _rate, hear) => {
      state.say = hear;
      return Promise.resolve({ ok: true, value: stream });
    },
  } as Partial<SoundDriver> as SoundDriver;
  return { state, ready: preloadResamplers(driver, () => Promise.resolve(converters())) };
}

const converter: Resampler = {
  convert: () => new Float32Array(),
  restart: () => undefined,
  close: () => undefined,
};
const block = new Float32Array(3);

it('has the converter when the stream is there, and keeps sound back until then', async () => {
  const { state, ready } = open(48_000, () => ({ ok: true, value: converter }));
  const heard: Float32Array[] = [];
  const opening = ready.driver.openMicrophone('default', 16_000, (each) => heard.push(each));
  state.say(block, 0);
  expect((await opening).ok).toBe(true);
  expect(heard).toEqual([]);
  expect(ready.convert(48_000, 16_000).convert).toBe(converter.convert);
  state.say(block, 0);
  expect(heard).toHaveLength(2);
});

it('converts even where none was made ahead', () => {
  const { ready } = open(16_000, () => ({ ok: true, value: converter }));
  expect(ready.convert(48_000, 16_000).convert(new Float32Array(480))).toHaveLength(160);
});

it('closes a stream whose sound nobody could understand', async () => {
  const { state, ready } = open(48_000, () => failure('resamplerBroken'));
  const opened = await ready.driver.openMicrophone('default', 16_000, () => undefined);
  expect([opened, state.closed]).toEqual([failure('resamplerBroken'), 1]);
});

it('closes each converter once, whether it was taken or the stream came too late', async () => {
  const closed: number[] = [];
  let made = 0;
  const { ready, state } = open(48_000, () => {
    const number = (made += 1);
    return { ok: true, value: { ...converter, close: () => closed.push(number) } };
  });
  const openOne = async (): Promise<MicrophoneStream> => {
    const opened = await ready.driver.openMicrophone('default', 16_000, () => undefined);
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const late = await openOne();
  await late.close();
  expect(closed).toEqual([1]);
  const kept = await openOne();
  const taken = ready.convert(48_000, 16_000);
  await kept.close();
  expect(closed).toEqual([1]);
  taken.close();
  expect([closed, made, state.closed]).toEqual([[1, 2], 2, 2]);
});
