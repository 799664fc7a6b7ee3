import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  probedSoundDriver,
  SoundProbe,
} from '../../../../../electron/platform/portaudio/sound-probe.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import type { ChildProcessListener } from '../../../../../shared/ports/child-process.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';

function createProbe() {
  const started: ChildProcessListener[] = [];
  const asked: string[] = [];
  const log = new FakeLog();
  const probe = new SoundProbe((listener) => {
    started.push(listener);
    return { post: () => asked.push('asked'), kill: () => asked.push('killed') };
  }, log);
  const child = (): ChildProcessListener => {
    const [listener] = started;
    if (listener === undefined) throw new Error('No process was started.');
    return listener;
  };
  return { probe, log, started, asked, child };
}

describe('SoundProbe', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('probes once, on first use, and then allows sound', async () => {
    const { probe, log, started, asked, child } = createProbe();
    expect(started).toHaveLength(0);
    const answers = Promise.all([probe.ask(), probe.ask()]);
    child().onMessage('ready');
    expect(asked).toEqual(['asked']);
    child().onMessage('survived');
    child().onEnd('SIGKILL');
    expect(await answers).toEqual([done, done]);
    expect(await probe.ask()).toEqual(done);
    expect(started).toHaveLength(1);
    expect(asked).toEqual(['asked', 'killed']);
    expect(log.lines).toEqual([]);
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

  it.each([
    {
      what: 'ends before it runs',
      fail: (child: ChildProcessListener) => {
        child.onEnd('no such file');
      },
    },
    {
      what: 'never runs',
      fail: () => {
        vi.advanceTimersByTime(10_000);
      },
    },
  ])('allows sound, with a line in the log, if the process $what', async ({ fail }) => {
    const { probe, log, child } = createProbe();
    const answer = probe.ask();
    fail(child());
    expect(await answer).toEqual(done);
    expect(log.lines[0]).toContain('the sound system is used without a probe');
  });
});
