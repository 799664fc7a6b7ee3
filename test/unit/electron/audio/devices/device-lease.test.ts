import { describe, expect, it } from 'vitest';
import { DeviceLease, DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';

const page = { whenGone: () => () => undefined };

/** Runs all pending microtasks. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

class Device {
  open = true;
  readonly closed = withResolvers();
}

/** Counts open devices; the test decides when a device closes. */
class Bench {
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
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const cancelled = lease.cancel();
    await settle();
    expect(bench.lock.isFree).toBe(false);
    bench.devices[0]?.closed.resolve();
    await cancelled;
    expect(bench.lock.isFree).toBe(true);
  });

  it('holds the lock until finishing is done', async () => {
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const taken = lease.finish(async (device) => {
      await close(device);
      return 'saved';
    });
    await settle();
    expect(bench.lock.isFree).toBe(false);
    bench.devices[0]?.closed.resolve();
    expect(await taken).toBe('saved');
    expect(bench.lock.isFree).toBe(true);
  });

  it('ends the first of two simultaneous uses and keeps the second', async () => {
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const first = lease.begin(page, bench.open);
    const second = lease.begin(page, bench.open);
    await settle();
    bench.devices[0]?.closed.resolve();
    expect((await first).ok).toBe(false);
    expect((await second).ok).toBe(true);
    expect(bench.openNow).toBe(1);
    expect(bench.lock.isFree).toBe(false);
  });

  it('opens no second device while one is closing, for any number of waiting uses', async () => {
    const bench = new Bench();
    await bench.lease().begin(page, bench.open);
    const between = bench.lease().begin(page, bench.open);
    const last = bench.lease().begin(page, bench.open);
    await settle();
    expect(bench.devices).toHaveLength(1);
    bench.devices[0]?.closed.resolve();
    expect((await between).ok).toBe(false);
    expect((await last).ok).toBe(true);
    expect(bench.openNow).toBe(1);
  });

  it('frees the lock when finishing fails', async () => {
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const taken = lease.finish(() => Promise.reject(new Error('full')));
    await expect(taken).rejects.toThrow('full');
    expect((await bench.lease().begin(page, bench.open)).ok).toBe(true);
  });
});
