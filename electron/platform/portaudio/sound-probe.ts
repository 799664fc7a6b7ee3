import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { ChildProcess, HostProcesses } from '../../../shared/ports/child-process.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { SoundDriver } from '../../audio/devices/sound-driver.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { callTimeoutMs, stuckCallTimeoutMs } from './portaudio-device-tables.ts';

const startMs = 10_000;

const noop = (): void => undefined;

interface RunningProbe {
  /** Resolves when the probe touches the sound system or has failed to start; the time limit begins then. */
  readonly started: Promise<void>;
  readonly verdict: Promise<Outcome<undefined>>;
}

/** Tries the sound system once in a process that may crash. If that cannot start, sound is allowed. */
export class SoundProbe {
  readonly #start: HostProcesses['startSoundProbe'];
  readonly #log: Log;
  #process: ChildProcess<'ask'> | undefined;
  #running: RunningProbe | undefined;
  #stuck = false;

  constructor(start: HostProcesses['startSoundProbe'], log: Log) {
    this.#start = start;
    this.#log = log;
  }

  /** Also settles if the sound system hangs; later callers wait for the same result. */
  async ask(): Promise<Outcome<undefined>> {
    this.#running ??= this.#run();
    const { started, verdict: pendingVerdict } = this.#running;
    await started;
    const verdict = await withTimeout(
      this.#stuck ? stuckCallTimeoutMs : callTimeoutMs,
      pendingVerdict,
    );
    this.#stuck = verdict === timedOut;
    return verdict === timedOut ? failure('soundHangs') : verdict;
  }

  end(): void {
    this.#process?.kill();
  }

  #run(): RunningProbe {
    let resolveStarted = noop;
    const whenStarted = new Promise<void>((resolve) => {
      resolveStarted = resolve;
    });
    const verdict = new Promise<Outcome<undefined>>((resolve) => {
      let isRequested = false;
      let survived = false;
      const settle = (found: Outcome<undefined>): void => {
        clearTimeout(late);
        resolveStarted();
        resolve(found);
      };
      const allowUnprobed = (why: string): void => {
        this.#log.write('warn', `the sound system is used without a probe: ${why}`);
        settle({ ok: true, value: undefined });
      };
      // Keeps a command's process alive until the probe runs.
      const late = setTimeout(() => {
        this.#process?.kill();
        allowUnprobed('the probe process did not start in time');
      }, startMs);
      this.#process = this.#start({
        onMessage: (message) => {
          if (message === 'ready') {
            clearTimeout(late);
            isRequested = true;
            this.#process?.post('ask');
            resolveStarted();
          } else if (message === 'survived') {
            survived = true;
            settle({ ok: true, value: undefined });
            this.#process?.kill();
          }
        },
        onEnd: (lastOutput) => {
          this.#process = undefined;
          if (survived) return;
          if (!isRequested) {
            allowUnprobed(`the probe process ended: ${lastOutput}`);
            return;
          }
          this.#log.write('warn', `the sound system crashed the probe process: ${lastOutput}`);
          settle(failure('soundCrashes', {}, { detail: lastOutput }));
        },
      });
    });
    return { started: whenStarted, verdict };
  }
}

export function probedSoundDriver(driver: SoundDriver, probe: SoundProbe): SoundDriver {
  const probed = async <Value>(ask: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
    const allowed = await probe.ask();
    return allowed.ok ? ask() : allowed;
  };
  return {
    systemMovesStreams: driver.systemMovesStreams,
    devices: () => probed(() => driver.devices()),
    openSpeaker: (...args) => probed(() => driver.openSpeaker(...args)),
    openMicrophone: (...args) => probed(() => driver.openMicrophone(...args)),
  };
}
