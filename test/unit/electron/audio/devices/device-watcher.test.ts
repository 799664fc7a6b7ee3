import { expect, it } from 'vitest';
import { DeviceWatcher } from '../../../../../electron/audio/devices/sound-controller.ts';
import type { SoundDevice } from '../../../../../electron/audio/devices/sound-driver.ts';
import type { ListedDevice } from '../../../../../shared/settings/audio-settings.ts';
import { type Failure, failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { fakeHeadset, FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { collectUnhandledRejections } from '../../../../fakes/collect-unhandled-rejections.ts';

const secondMicrophone = { ...fakeHeadset, name: 'Desk' };

function watch() {
  const clock = new FakeClock();
  const driver = new FakeSoundDriver(clock);
  const notices: (readonly string[])[] = [];
  const state = {
    looks: 0,
    failed: undefined as Failure | undefined,
    wait: Promise.resolve(),
    broken: false,
  };
  const devices = async (): Promise<Outcome<readonly SoundDevice[]>> => {
    state.looks += 1;
    await state.wait;
    if (state.broken) throw new Error('the driver has a fault');
    return state.failed ?? driver.devices();
  };
  const { handlers } = new DeviceWatcher({
    sound: { devices },
    clock,
    post: (_name, payload) => {
      notices.push((payload as readonly ListedDevice[]).map(({ name }) => name));
    },
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await flushPromises();
  };
  return { clock, driver, notices, state, handlers, pass };
}

it('DeviceWatcher posts a device that appears, disappears or becomes the default', async () => {
  const { driver, notices, state, handlers, pass } = watch();
  const page = new OpenPage();
  await handlers.watchSoundDevices({ on: true }, page);
  await handlers.soundDevices(undefined, page);
  await pass(3000);
  await pass(3000);
  expect([notices, state.looks]).toEqual([[], 3]);
  driver.plug(secondMicrophone);
  await pass(3000);
  driver.unplug('Headset');
  await pass(3000);
  driver.makeDefault('Desk');
  await pass(3000);
  expect(notices).toEqual([
    ['Built-in', 'Headset', 'Desk'],
    ['Built-in', 'Desk'],
    ['Built-in', 'Desk'],
  ]);
});

it('DeviceWatcher polls only while a page watches', async () => {
  const { driver, notices, state, handlers, pass } = watch();
  const [one, other] = [new OpenPage(), new OpenPage()];
  await handlers.soundDevices(undefined, one);
  driver.plug(secondMicrophone);
  await pass(60_000);
  expect([notices, state.looks]).toEqual([[], 1]);
  await handlers.watchSoundDevices({ on: true }, one);
  await handlers.watchSoundDevices({ on: true }, one);
  await handlers.watchSoundDevices({ on: true }, other);
  // An earlier change was not posted to it either.
  await pass(3000);
  expect([notices, state.looks]).toEqual([[['Built-in', 'Headset', 'Desk']], 2]);
  one.gone();
  await pass(3000);
  expect(state.looks).toBe(3);
  await handlers.watchSoundDevices({ on: false }, other);
  await handlers.watchSoundDevices({ on: true }, one);
  await pass(60_000);
  expect(state.looks).toBe(3);
});

it('DeviceWatcher does not poll a sound system again before its last answer', async () => {
  const { driver, notices, state, handlers, pass } = watch();
  const page = new OpenPage();
  await handlers.soundDevices(undefined, page);
  let answer: (() => void) | undefined;
  state.wait = new Promise((resolve) => (answer = resolve));
  await handlers.watchSoundDevices({ on: true }, page);
  await pass(3000);
  await handlers.watchSoundDevices({ on: true }, new OpenPage());
  await pass(60_000);
  expect(state.looks).toBe(2);
  driver.plug(secondMicrophone);
  answer?.();
  await flushPromises();
  expect(notices).toHaveLength(1);
  await pass(3000);
  expect(state.looks).toBe(3);
});

it('DeviceWatcher posts devices as soon as they can be listed', async () => {
  const { notices, state, handlers, pass } = watch();
  const page = new OpenPage();
  state.failed = failure('noSound');
  await handlers.watchSoundDevices({ on: true }, page);
  expect(await handlers.soundDevices(undefined, page)).toEqual(failure('noSound'));
  await pass(3000);
  expect(notices).toEqual([]);
  state.failed = undefined;
  await pass(3000);
  expect(notices).toEqual([['Built-in', 'Headset']]);
});

it('DeviceWatcher keeps polling after an unexpected error, which stays visible', async () => {
  const { driver, notices, state, handlers, pass } = watch();
  const page = new OpenPage();
  const seen = await collectUnhandledRejections(async () => {
    await handlers.watchSoundDevices({ on: true }, page);
    await handlers.soundDevices(undefined, page);
    state.broken = true;
    await pass(3000);
    state.broken = false;
    driver.plug(secondMicrophone);
    await pass(3000);
  });
  expect(notices).toEqual([['Built-in', 'Headset', 'Desk']]);
  expect(seen).toEqual([new Error('the driver has a fault')]);
});
