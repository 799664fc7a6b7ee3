import { describe, expect, it } from 'vitest';
import { DeviceLease, DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';

const page = { whenGone: () => () => undefined };

/** Lets everything that is ready to run do so. */
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

/** Counts how many devices are open at once; a device is closed when the test says so. */
class Bench {
  readonly lock = new DeviceLock();
  readonly devices: Device[] = [];

  lease(): DeviceLease<Device> {
    return new DeviceLease<Device>({ lock: this.lock, stopped: () => undefined, close });
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

describe('a lease of the sound devices', () => {
  it('keeps the lock until its device is closed', async () => {
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const cancelled = lease.cancel();
    await settle();
    expect(bench.lock.free).toBe(false);
    bench.devices[0]?.closed.resolve();
    await cancelled;
    expect(bench.lock.free).toBe(true);
  });

  it('keeps the lock until what is taken has been finished', async () => {
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const taken = lease.take(async (device) => {
      await close(device);
      return 'saved';
    });
    await settle();
    expect(bench.lock.free).toBe(false);
    bench.devices[0]?.closed.resolve();
    expect(await taken).toBe('saved');
    expect(bench.lock.free).toBe(true);
  });

  it('begun twice at once ends the first and keeps the second', async () => {
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
    expect(bench.lock.free).toBe(false);
  });

  it('opens no second device beside one that is still closing, whoever waits between them', async () => {
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

  it('is free for the next when finishing has failed', async () => {
    const bench = new Bench();
    const lease = bench.lease();
    await lease.begin(page, bench.open);
    const taken = lease.take(() => Promise.reject(new Error('full')));
    await expect(taken).rejects.toThrow('full');
    expect((await bench.lease().begin(page, bench.open)).ok).toBe(true);
  });
});
