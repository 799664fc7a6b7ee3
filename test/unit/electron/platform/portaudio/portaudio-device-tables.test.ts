import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NativeSound } from '../../../../../electron/platform/portaudio/portaudio-addon.ts';
import { DeviceTables } from '../../../../../electron/platform/portaudio/portaudio-device-tables.ts';
import { timedOut } from '../../../../../electron/platform/system/system-clock.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';

const never = new Promise<never>(() => undefined);

/** A native library that records which copies were started and stopped. */
function library(streamsShare = false) {
  const calls: string[] = [];
  let answer = (): Promise<unknown> => Promise.resolve();
  const native = {
    copies: 3,
    initialize: async (copy) => {
      calls.push(`start ${copy}`);
      await answer();
      return [];
    },
    terminate: (copy) => {
      calls.push(`stop ${copy}`);
      return Promise.resolve();
    },
  } as Partial<NativeSound> as NativeSound;
  const hang = (until: Promise<unknown>): void => {
    answer = () => until;
  };
  return { calls, hang, tables: new DeviceTables(() => native, streamsShare) };
}

describe('DeviceTables', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it('reuses one copy while it has no stream', async () => {
    const { calls, tables } = library();
    await tables.current();
    await tables.current();
    await tables.renew();
    expect(calls).toEqual(['start 0', 'stop 0', 'start 0']);
  });

  it('renews only a copy without a stream', async () => {
    const { calls, tables } = library();
    const releases: (() => void)[] = [];
    for (let copy = 0; copy < 3; copy += 1) {
      const table = await tables.renew();
      expect(table).toMatchObject({ value: { copy } });
      releases.push(tables.countStream(copy));
    }
    expect(await tables.renew()).toMatchObject({ ok: true, value: { copy: 2 } });
    expect(calls).toEqual(['start 0', 'start 1', 'start 2']);
    releases[1]?.();
    releases[1]?.();
    expect(await tables.renew()).toMatchObject({ ok: true, value: { copy: 1 } });
    expect(calls.slice(3)).toEqual(['stop 1', 'start 1']);
  });

  it('gives each stream its own copy while there are enough', async () => {
    const { calls, tables } = library();
    const release: (() => void)[] = [];
    for (const copy of [0, 1, 2]) {
      expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy } });
      release.push(tables.countStream(copy));
    }
    expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy: 2 } });
    expect(calls).toEqual(['start 0', 'start 1', 'start 2']);
    release[2]?.();
    expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy: 2 } });
    expect(calls, 'its devices are known').toHaveLength(3);
  });

  it('lets streams share a copy where the library allows it', async () => {
    const { calls, tables } = library(true);
    await tables.forStream();
    tables.countStream(0);
    expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy: 0 } });
    expect(calls).toEqual(['start 0']);
  });

  it('limits the wait for a sound system that hangs, and works again once that continues', async () => {
    const { calls, hang, tables } = library();
    let resume: () => void = () => undefined;
    hang(new Promise<void>((resolve) => (resume = resolve)));
    for (const [copy, ms] of [4000, 300, 300].entries()) {
      const table = tables.renew();
      await vi.advanceTimersByTimeAsync(ms);
      expect(await table).toEqual(failure('soundHangs'));
      expect(calls).toHaveLength(copy + 1);
    }
    // Every copy is stuck, so none is called.
    expect(await tables.renew()).toEqual(failure('soundHangs'));
    expect(calls).toHaveLength(3);
    resume();
    await vi.advanceTimersByTimeAsync(0);
    expect((await tables.renew()).ok).toBe(true);
  });

  it('avoids a copy with a hanging stream', async () => {
    const { calls, tables } = library();
    await tables.current();
    const waiting = tables.run(0, never, 400);
    await vi.advanceTimersByTimeAsync(400);
    expect(await waiting).toBe(timedOut);
    expect(await tables.current()).toMatchObject({ ok: true, value: { copy: 1 } });
    expect(calls).toEqual(['start 0', 'start 1']);
  });

  it('reports why there are no devices', async () => {
    const tables = new DeviceTables(() => {
      throw new Error('no library');
    });
    expect(await tables.current()).toEqual(failure('noSound', {}, { detail: 'no library' }));
  });
});
