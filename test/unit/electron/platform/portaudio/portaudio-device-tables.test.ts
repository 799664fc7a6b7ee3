import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NativeSound } from '../../../../../electron/platform/portaudio/portaudio-addon.ts';
import { DeviceTables } from '../../../../../electron/platform/portaudio/portaudio-device-tables.ts';
import { timedOut } from '../../../../../electron/platform/system/system-clock.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';

const never = new Promise<never>(() => undefined);

/** A library that records which copies were started and stopped. */
function library(streamsShare = false) {
  const said: string[] = [];
  let answer = (): Promise<unknown> => Promise.resolve();
  const native = {
    copies: 3,
    initialize: async (copy) => {
      said.push(`start ${copy}`);
      await answer();
      return [];
    },
    terminate: (copy) => {
      said.push(`stop ${copy}`);
      return Promise.resolve();
    },
  } as Partial<NativeSound> as NativeSound;
  const hang = (until: Promise<unknown>): void => {
    answer = () => until;
  };
  return { said, hang, tables: new DeviceTables(() => native, streamsShare) };
}

describe('DeviceTables', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it('reuses one copy while it has no stream', async () => {
    const { said, tables } = library();
    await tables.current();
    await tables.current();
    await tables.renew();
    expect(said).toEqual(['start 0', 'stop 0', 'start 0']);
  });

  it('uses only a copy without a stream', async () => {
    const { said, tables } = library();
    const free: (() => void)[] = [];
    for (let copy = 0; copy < 3; copy += 1) {
      const table = await tables.renew();
      expect(table).toMatchObject({ value: { copy } });
      free.push(tables.hold(copy));
    }
    expect(await tables.renew()).toMatchObject({ ok: true, value: { copy: 2 } });
    expect(said).toEqual(['start 0', 'start 1', 'start 2']);
    free[1]?.();
    free[1]?.();
    expect(await tables.renew()).toMatchObject({ ok: true, value: { copy: 1 } });
    expect(said.slice(3)).toEqual(['stop 1', 'start 1']);
  });

  it('gives each stream its own copy while there are enough', async () => {
    const { said, tables } = library();
    const letGo: (() => void)[] = [];
    for (const copy of [0, 1, 2]) {
      expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy } });
      letGo.push(tables.hold(copy));
    }
    expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy: 2 } });
    expect(said).toEqual(['start 0', 'start 1', 'start 2']);
    letGo[2]?.();
    expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy: 2 } });
    expect(said, 'its devices are known').toHaveLength(3);
  });

  it('lets streams share a copy where that is safe', async () => {
    const { said, tables } = library(true);
    await tables.forStream();
    tables.hold(0);
    expect(await tables.forStream()).toMatchObject({ ok: true, value: { copy: 0 } });
    expect(said).toEqual(['start 0']);
  });

  it('limits the wait for a hanging sound system, and continues when it does', async () => {
    const { said, hang, tables } = library();
    let goOn: () => void = () => undefined;
    hang(new Promise<void>((resolve) => (goOn = resolve)));
    for (const [copy, ms] of [4000, 300, 300].entries()) {
      const table = tables.renew();
      await vi.advanceTimersByTimeAsync(ms);
      expect(await table).toEqual(failure('soundHangs'));
      expect(said).toHaveLength(copy + 1);
    }
    // Every copy is stuck, so none is called.
    expect(await tables.renew()).toEqual(failure('soundHangs'));
    expect(said).toHaveLength(3);
    goOn();
    await vi.advanceTimersByTimeAsync(0);
    expect((await tables.renew()).ok).toBe(true);
  });

  it('avoids a copy with a hanging stream', async () => {
    const { said, tables } = library();
    await tables.current();
    const waiting = tables.run(0, never, 400);
    await vi.advanceTimersByTimeAsync(400);
    expect(await waiting).toBe(timedOut);
    expect(await tables.current()).toMatchObject({ ok: true, value: { copy: 1 } });
    expect(said).toEqual(['start 0', 'start 1']);
  });

  it('reports why there are no devices', async () => {
    const tables = new DeviceTables(() => {
      throw new Error('no library');
    });
    expect(await tables.current()).toEqual(failure('noSound', {}, { detail: 'no library' }));
  });
});
