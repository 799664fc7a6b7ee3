import { describe, expect, it } from 'vitest';
import { DeviceLease, DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import { deferred, flushPromises, collectUnhandledRejections } from '../../../../fakes/promises.ts';
import { DeviceWatcher } from '../../../../../electron/audio/devices/sound-controller.ts';
import type { SoundDevice } from '../../../../../electron/audio/devices/sound-driver.ts';
import type { ListedDevice } from '../../../../../shared/settings/audio-settings.ts';
import { appError, type Failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { fakeHeadset, FakeSoundDriver, fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';
import { StreamSupervisor } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';
import { numbered, SoundHarness } from './sound-harness.ts';

const page = { whenGone: () => () => undefined };

class Device {
  open = true;
  readonly closed = deferred();
}

/** Counts open devices; the test decides when a device closes. */
class LeaseHarness {
  readonly lock = new DeviceLock();
  readonly devices: Device[] = [];

  lease(): DeviceLease<Device> {
    return new DeviceLease<Device>({ lock: this.lock, onPreempted: () => undefined, close });
  }

  readonly open = (): Promise<{ ok: true; value: Device }> => {
    const device = new Device();
    this.devices.push(device);
    return Promise.resolve({ ok: true, value: device });
  };

  get openNow(): number {
    return this.devices.filter(({ open }) => open).length;
  }
}

async function close(device: Device): Promise<void> {
  await device.closed.promise;
  device.open = false;
}

describe('DeviceLease', () => {
  it('holds the lock until its device is closed', async () => {
    const harness = new LeaseHarness();
    const lease = harness.lease();
    await lease.begin(page, harness.open);
    const cancelled = lease.cancel();
    await flushPromises();
    expect(harness.lock.isFree).toBe(false);
    harness.devices[0]?.closed.resolve();
    await cancelled;
    expect(harness.lock.isFree).toBe(true);
  });

  it('ends the first of two simultaneous uses and keeps the second', async () => {
    const harness = new LeaseHarness();
    const lease = harness.lease();
    await lease.begin(page, harness.open);
    const first = lease.begin(page, harness.open);
    const second = lease.begin(page, harness.open);
    await flushPromises();
    harness.devices[0]?.closed.resolve();
    expect((await first).ok).toBe(false);
    expect((await second).ok).toBe(true);
    expect(harness.openNow).toBe(1);
    expect(harness.lock.isFree).toBe(false);
  });

  it('opens no second device while the first is closing, for any number of waiting uses', async () => {
    const harness = new LeaseHarness();
    await harness.lease().begin(page, harness.open);
    const between = harness.lease().begin(page, harness.open);
    const last = harness.lease().begin(page, harness.open);
    await flushPromises();
    expect(harness.devices).toHaveLength(1);
    harness.devices[0]?.closed.resolve();
    expect((await between).ok).toBe(false);
    expect((await last).ok).toBe(true);
    expect(harness.openNow).toBe(1);
  });

  it('frees the lock when finishing fails', async () => {
    const harness = new LeaseHarness();
    const lease = harness.lease();
    await lease.begin(page, harness.open);
    const taken = lease.finish(() => Promise.reject(new Error('full')));
    await expect(taken).rejects.toThrow('full');
    expect((await harness.lease().begin(page, harness.open)).ok).toBe(true);
  });

  it('closes the device and frees the lock when the work on it fails', async () => {
    const harness = new LeaseHarness();
    const run = harness.lease().run(page, harness.open, (device) => {
      device.closed.resolve();
      return Promise.reject(new Error('broken'));
    });
    await expect(run).rejects.toThrow('broken');
    expect(harness.openNow).toBe(0);
    expect(harness.lock.isFree).toBe(true);
  });
});

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
  // The change was before any page watched, so the first poll posts it.
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

const headset = { name: 'Headset' };

describe('StreamSupervisor', () => {
  it('follows the system from one default device to the next, and emits each change', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker('default');
    await harness.pass(4000);
    expect([harness.kinds, speaker.counters().devices]).toEqual([['Built-in'], 1]);
    harness.driver.makeDefault('Headset');
    await harness.pass(4000);
    expect(harness.kinds).toEqual(['Built-in', 'Headset']);
    expect(harness.driver.opened).toBe(1);
    await speaker.end();
  });

  it('emits the loss of a device that hangs and cannot be closed, within a second', async () => {
    const harness = new SoundHarness();
    const speaker = await harness.speaker(headset);
    harness.driver.openingMs = 4000;
    harness.driver.closingMs = 1000;
    harness.driver.unplug('Headset');
    await harness.pass(1000);
    expect(harness.kinds).toEqual(['Headset', 'lost']);
    expect(harness.events[1]).toEqual({
      kind: 'lost',
      error: appError('deviceSilent', { device: 'Headset' }),
    });
    const ending = speaker.end();
    await harness.pass(9000);
    await ending;
    expect(harness.driver.opened).toBe(0);
  });
});

it('StreamSupervisor retries after an unexpected error of the driver, and rejects only the call that began the stream', async () => {
  const clock = new FakeClock();
  const emitted: string[] = [];
  let opens = 0;
  const stream = {
    device: fakeBuiltIn,
    stats: () => ({ alive: true }),
    close: () => Promise.resolve(),
  };
  const supervisor = new StreamSupervisor<typeof stream>('default', {
    clock,
    open: () => {
      opens += 1;
      if (opens < 3) return Promise.reject(new Error(`fault ${opens}`));
      return Promise.resolve({ ok: true, value: stream });
    },
    allowsSubstitute: () => false,
    onOpened: () => undefined,
    onGone: () => undefined,
    emit: ({ kind }) => emitted.push(kind),
  });
  const seen = await collectUnhandledRejections(async () => {
    await expect(supervisor.begin()).rejects.toThrow('fault 1');
    for (let time = 0; time < 20; time += 1) {
      clock.advance(50);
      await flushPromises();
    }
  });
  expect([emitted, opens]).toEqual([['using'], 3]);
  expect(seen).toEqual([new Error('fault 2')]);
  await supervisor.end();
});

const seeds = Array.from({ length: randomRuns(30) }, (_, index) => index + 1);
const strange = { ...fakeHeadset, name: 'Strange', rate: 44_100, onlyItsRate: true };
const randomDevices = [fakeBuiltIn, fakeHeadset, strange];

describe('a microphone and a speaker under random device changes', () => {
  it.each(seeds)('count every sample (seed %i)', async (seed) => {
    const random = seeded(seed);
    const any = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const harness = new SoundHarness(randomDevices);
    const speaker = await harness.speaker('default');
    const microphone = await harness.microphone('default');
    let [written, dropped, heard] = [0, 0, 0];
    const waiting: Promise<void>[] = [];
    const actions = [
      () => {
        const count = Math.floor(random() * 9000);
        speaker.write(numbered(written, count));
        written += count;
      },
      () => {
        const flushed = speaker.flush();
        dropped += flushed.dropped;
        expect(flushed.heard + dropped).toBe(written);
      },
      () => harness.driver.unplug(any(randomDevices).name),
      () => harness.driver.plug(any(randomDevices)),
      () => harness.driver.occupy(any(randomDevices).name, random() < 0.3),
      () => waiting.push(speaker.choose(any(['default', ...randomDevices]))),
      () => waiting.push(microphone.choose(any(['default', ...randomDevices]))),
      () => (harness.driver.openingMs = random() < 0.5 ? 0 : Math.floor(random() * 300)),
      () => (harness.driver.closingMs = random() < 0.5 ? 0 : Math.floor(random() * 300)),
    ];
    for (let step = 0; step < 120; step += 1) {
      any(actions)();
      await harness.pass(Math.floor(random() * 20) * 10);
      const now = speaker.heard();
      expect(now).toBeGreaterThanOrEqual(heard);
      heard = now;
      expect(now + dropped + speaker.queued()).toBeLessThanOrEqual(written);
    }
    for (const device of randomDevices) harness.driver.occupy(device.name, false);
    harness.driver.plug(fakeBuiltIn);
    waiting.push(speaker.choose('default'), microphone.choose('default'));
    await harness.pass(60_000);
    await Promise.all(waiting);
    expect(speaker.heard() + dropped + speaker.queued()).toBe(written);
    expect(speaker.queued()).toBe(0);
    expect(harness.driver.opened).toBe(2);
    const before = harness.samples;
    await harness.pass(1000);
    expect(harness.samples - before).toBe(16_000);
    const ended = Promise.all([speaker.end(), microphone.end()]);
    await harness.pass(1000);
    await ended;
    expect(harness.driver.opened).toBe(0);
  });
});
