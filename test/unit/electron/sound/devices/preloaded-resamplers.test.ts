import { expect, it } from 'vitest';
import { preloadResamplers } from '../../../../../electron/sound/devices/preloaded-resamplers.ts';
import type { Outcome } from '../../../../../electron/ports/outcome.ts';
import type { Resampler, SoundDriver, SpeakerStream } from '../../../../../electron/ports/sound.ts';

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
  const state = { closed: 0 };
  const stream = {
    device,
    rate,
    close: () => {
      state.closed += 1;
      return Promise.resolve();
    },
  };
  const driver = {
    openSpeaker: () => Promise.resolve({ ok: true, value: stream }),
  } as unknown as SoundDriver;
  return { state, ready: preloadResamplers(driver, () => Promise.resolve(converters())) };
}

const converter: Resampler = {
  convert: () => new Float32Array(),
  restart: () => undefined,
  close: () => undefined,
};

it('has the converter when the stream is there', async () => {
  const { ready } = open(48_000, () => ({ ok: true, value: converter }));
  expect((await ready.driver.openSpeaker('default', 24_000)).ok).toBe(true);
  expect(ready.convert(24_000, 48_000).convert).toBe(converter.convert);
});

it('converts even where none was made ahead', () => {
  const { ready } = open(16_000, () => ({ ok: true, value: converter }));
  expect(ready.convert(48_000, 16_000).convert(new Float32Array(480))).toHaveLength(160);
});

it('closes a stream whose sound nobody could understand', async () => {
  const { state, ready } = open(48_000, () => ({ ok: false, problem: 'No converter.' }));
  const opened = await ready.driver.openSpeaker('default', 24_000);
  expect([opened, state.closed]).toEqual([{ ok: false, problem: 'No converter.' }, 1]);
});

it('closes each converter once, whether it was taken or the stream came too late', async () => {
  const closed: number[] = [];
  let made = 0;
  const { ready, state } = open(48_000, () => {
    const number = (made += 1);
    return { ok: true, value: { ...converter, close: () => closed.push(number) } };
  });
  const openOne = async (): Promise<SpeakerStream> => {
    const opened = await ready.driver.openSpeaker('default', 24_000);
    if (!opened.ok) throw new Error(opened.problem);
    return opened.value;
  };
  const late = await openOne();
  await late.close();
  expect(closed).toEqual([1]);
  const kept = await openOne();
  const taken = ready.convert(24_000, 48_000);
  await kept.close();
  expect(closed).toEqual([1]);
  taken.close();
  expect([closed, made, state.closed]).toEqual([[1, 2], 2, 2]);
});
