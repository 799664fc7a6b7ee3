import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceTables } from '../../../../electron/platform/portaudio/portaudio-device-tables.ts';
import { done, failure } from '../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import {
  DeviceFinder,
  findDevice,
  withOpenDevices,
} from '../../../../electron/platform/portaudio/portaudio-driver.ts';
import {
  counterAt,
  counterCount,
  type NativeDevice,
  type NativeSound,
} from '../../../../electron/platform/portaudio/portaudio-addon.ts';
import { Liveness } from '../../../../electron/platform/portaudio/portaudio-streams.ts';
import {
  probedSoundDriver,
  SoundProbe,
} from '../../../../electron/platform/portaudio/sound-probe.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakeHeadset, FakeSoundDriver } from '../../../fakes/fake-sound-driver.ts';
import type { ChildProcessListener } from '../../../../shared/ports/child-process.ts';

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
  });

  it('lists the devices afresh only in a copy of PortAudio without a stream', async () => {
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

  it('gives each stream its own copy of PortAudio while there are enough copies', async () => {
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

  it('limits the wait for a sound system that hangs, and works again after the sound system has continued', async () => {
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

  it('lists the devices again after a list that came too late, because their numbers may be new', async () => {
    const { calls, hang, tables } = library();
    await tables.current();
    let resume: () => void = () => undefined;
    hang(new Promise<void>((resolve) => (resume = resolve)));
    const late = tables.renew();
    await vi.advanceTimersByTimeAsync(4000);
    expect(await late).toEqual(failure('soundHangs'));
    resume();
    await vi.advanceTimersByTimeAsync(0);
    expect((await tables.current()).ok).toBe(true);
    expect(calls).toEqual(['start 0', 'stop 0', 'start 0', 'stop 0', 'start 0']);
  });

  it('reports why there are no devices', async () => {
    const tables = new DeviceTables(() => {
      throw new Error('no library');
    });
    expect(await tables.current()).toEqual(failure('noSound', {}, { detail: 'no library' }));
  });
});

const native: NativeDevice = {
  index: 0,
  name: 'default',
  hostApi: 'ALSA',
  inputChannels: 32,
  outputChannels: 32,
  rate: 44_100,
  defaultInput: 1,
  defaultOutput: 1,
};

describe('portaudio streams', () => {
  it.each(['default', { name: 'Headset' }] as const)(
    'report a missing sound server if the list of devices is empty (%j)',
    (choice) => {
      expect(findDevice([], 'input', choice)).toEqual(failure('soundServerGone'));
      expect(findDevice([], 'output', choice)).toEqual(failure('soundServerGone'));
    },
  );

  it('take no card in place of ALSA’s default device, which is missing while the sound server restarts', () => {
    const card = { ...native, name: 'card' };
    const alone = new DeviceFinder().find([card], 'output', 'default');
    expect(alone, 'without a sound server').toMatchObject({ value: { name: 'card' } });
    const finder = new DeviceFinder();
    expect(finder.find([native], 'output', 'default').ok).toBe(true);
    const lost = finder.find([card], 'output', 'default');
    expect(lost).toEqual(failure('soundServerGone'));
    // Without a sound server, ALSA's default device is a card that was unplugged.
    expect(!lost.ok && englishErrorMessage(lost.error)).toContain('or the default device is gone');
    expect(finder.find([card], 'output', { name: 'card' }).ok).toBe(true);
    expect(finder.find([native], 'output', 'default').ok).toBe(true);
  });

  it('keep a card in the list once, with both directions, while they use it exclusively', () => {
    const card = { ...fakeHeadset, inputChannels: 2, outputChannels: 2 };
    const [input, output] = [
      { ...card, outputChannels: 0 },
      { ...card, inputChannels: 0 },
    ];
    expect(withOpenDevices([input], [card]), 'only its speaker is open').toEqual([card]);
    expect(withOpenDevices([], [output, input]), 'both are open').toEqual([card]);
    // macOS lists both directions of a headset as two devices.
    expect(withOpenDevices([input, output], [output])).toEqual([input, output]);
  });

  const counters = new Float64Array(counterCount);

  beforeEach(() => {
    vi.useFakeTimers();
    counters.fill(0);
    counters[counterAt.active] = 1;
  });

  /** Checks after some time, with the device’s callback count by then. */
  function checkAfter(liveness: Liveness, afterMs: number, callbacks: number): boolean {
    vi.advanceTimersByTime(afterMs);
    counters[counterAt.callbacks] = callbacks;
    return liveness.isAlive(counters);
  }

  it('count a device as dead within a second without callbacks', () => {
    const liveness = new Liveness();
    expect([checkAfter(liveness, 250, 100), checkAfter(liveness, 250, 125)]).toEqual([true, true]);
    expect([checkAfter(liveness, 250, 125), checkAfter(liveness, 250, 125)]).toEqual([true, false]);
  });

  it('do not count a device as dead after a pause of the machine', () => {
    const liveness = new Liveness();
    checkAfter(liveness, 250, 100);
    // The machine paused for two seconds; pending callbacks follow.
    expect(checkAfter(liveness, 2000, 100)).toBe(true);
    expect(checkAfter(liveness, 100, 130)).toBe(true);
  });

  it('wait longer for a device that resumes, but not for one that reports a stop', () => {
    const liveness = new Liveness();
    checkAfter(liveness, 250, 3);
    for (let checks = 0; checks < 8; checks += 1) expect(checkAfter(liveness, 250, 3)).toBe(true);
    for (let checks = 0; checks < 3; checks += 1) checkAfter(liveness, 250, 3);
    expect(checkAfter(liveness, 250, 3)).toBe(false);
    counters[counterAt.active] = 0;
    expect(checkAfter(liveness, 10, 200)).toBe(false);
  });
});

function createProbe() {
  const started: ChildProcessListener[] = [];
  const asked: string[] = [];
  const log = new FakeLog();
  const probe = new SoundProbe((listener) => {
    started.push(listener);
    return { post: () => asked.push('asked'), kill: () => asked.push('killed') };
  }, log);
  const child = (): ChildProcessListener => {
    const listener = started.at(-1);
    if (listener === undefined) throw new Error('No process was started.');
    return listener;
  };
  return { probe, log, started, asked, child };
}

describe('SoundProbe', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('disables sound for this run after a crash, and reports the last output of the process', async () => {
    const { probe, log, started, child } = createProbe();
    const driver = new FakeSoundDriver(new FakeClock());
    const touched = vi.spyOn(driver, 'devices');
    const probed = probedSoundDriver(driver, probe);
    const listed = probed.devices();
    child().onMessage('ready');
    child().onEnd('Assertion failed.');
    const died = failure('soundCrashes', {}, { detail: 'Assertion failed.' });
    expect(await listed).toEqual(died);
    expect(await probed.openSpeaker('default', 24_000)).toEqual(died);
    expect(await probed.openMicrophone('default', 16_000, { captured: vi.fn() })).toEqual(died);
    expect(touched).not.toHaveBeenCalled();
    expect(started).toHaveLength(1);
    expect(log.lines).toEqual([
      'parley warn: the sound system crashed the probe process: Assertion failed.',
    ]);
  });

  it('reports a hang without a second process, and accepts the late result', async () => {
    const { probe, started, child } = createProbe();
    const first = probe.ask();
    child().onMessage('ready');
    await vi.advanceTimersByTimeAsync(4000);
    expect(await first).toEqual(failure('soundHangs'));
    const second = probe.ask();
    await vi.advanceTimersByTimeAsync(300);
    expect(await second).toEqual(failure('soundHangs'));
    child().onMessage('survived');
    expect(await probe.ask()).toEqual(done);
    expect(started).toHaveLength(1);
  });

  it('asks a new process after one that ended during a hang, and reports its crash', async () => {
    const { probe, started, child } = createProbe();
    const first = probe.ask();
    child().onMessage('ready');
    await vi.advanceTimersByTimeAsync(4000);
    expect(await first).toEqual(failure('soundHangs'));
    child().onEnd('');
    const second = probe.ask();
    expect(started).toHaveLength(2);
    child().onMessage('ready');
    child().onEnd('Assertion failed.');
    expect(await second).toMatchObject({ error: { code: 'soundCrashes' } });
  });

  it('allows sound, with a line in the log, if the process never runs', async () => {
    const { probe, log } = createProbe();
    const answer = probe.ask();
    vi.advanceTimersByTime(10_000);
    expect(await answer).toEqual(done);
    expect(log.lines[0]).toContain('the sound system is used without a probe');
  });
});
