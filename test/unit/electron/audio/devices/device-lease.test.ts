import { describe, expect, it } from 'vitest';
import { DeviceLease, DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';

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

  it('holds the lock until finishing is done', async () => {
    const harness = new LeaseHarness();
    const lease = harness.lease();
    await lease.begin(page, harness.open);
    const taken = lease.finish(async (device) => {
      await close(device);
      return 'saved';
    });
    await flushPromises();
    expect(harness.lock.isFree).toBe(false);
    harness.devices[0]?.closed.resolve();
    expect(await taken).toBe('saved');
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

  it('opens no second device while one is closing, for any number of waiting uses', async () => {
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
