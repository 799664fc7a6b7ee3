import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { ChildProcess, HostProcesses } from '../../../shared/ports/child-process.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { SoundDriver } from '../../audio/devices/sound-driver.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { callTimeoutMs, stuckCallTimeoutMs } from './portaudio-device-tables.ts';

const startTimeoutMs = 10_000;

const noop = (): void => undefined;

interface RunningProbe {
  /**
   * Resolves when the probe has been asked to open the sound system, or could not start. The time limit of the verdict
   * begins then.
   */
  readonly whenReady: Promise<void>;
  readonly verdict: Promise<Outcome<undefined>>;
}

/** Opens the sound system once in a process that may crash. If that process cannot start, sound is allowed. */
export class SoundProbe {
  readonly #start: HostProcesses['startSoundProbe'];
  readonly #log: Log;
  #process: ChildProcess<'ask'> | undefined;
  #running: RunningProbe | undefined;
  #hasHung = false;

  constructor(start: HostProcesses['startSoundProbe'], log: Log) {
    this.#start = start;
    this.#log = log;
  }

  /**
   * Runs the probe once. If the sound system hangs, resolves to `soundHangs`. Once the probe's process has then ended, the
   * next call starts a new one.
   */
  async ask(): Promise<Outcome<undefined>> {
    this.#running ??= this.#run();
    const { whenReady, verdict: pendingVerdict } = this.#running;
    await whenReady;
    const verdict = await withTimeout(
      this.#hasHung ? stuckCallTimeoutMs : callTimeoutMs,
      pendingVerdict,
    );
    this.#hasHung = verdict === timedOut;
    return verdict === timedOut ? failure('soundHangs') : verdict;
  }

  end(): void {
    this.#process?.kill();
  }

  #run(): RunningProbe {
    let resolveReady = noop;
    const ready = new Promise<void>((resolve) => {
      resolveReady = resolve;
    });
    const verdict = new Promise<Outcome<undefined>>((resolve) => {
      let isRequested = false;
      let hasSurvived = false;
      const settle = (result: Outcome<undefined>): void => {
        clearTimeout(startTimer);
        resolveReady();
        resolve(result);
      };
      const allowUnprobed = (reason: string): void => {
        this.#log.write('warn', `the sound system is used without a probe: ${reason}`);
        settle({ ok: true, value: undefined });
      };
      // This timer keeps the process of a terminal command alive until the probe runs.
      const startTimer = setTimeout(() => {
        this.#process?.kill();
        allowUnprobed('the probe process did not start in time');
      }, startTimeoutMs);
      this.#process = this.#start({
        onMessage: (message) => {
          if (message === 'ready') {
            clearTimeout(startTimer);
            isRequested = true;
            this.#process?.post('ask');
            resolveReady();
          } else if (message === 'survived') {
            hasSurvived = true;
            settle({ ok: true, value: undefined });
            this.#process?.kill();
          }
        },
        onEnd: (lastOutput) => {
          this.#process = undefined;
          if (hasSurvived) return;
          if (!isRequested) {
            allowUnprobed(`the probe process ended: ${lastOutput}`);
            return;
          }
          if (this.#hasHung) {
            // The probe's process ends itself after a long hang. The next request starts a new one.
            this.#hasHung = false;
            this.#running = undefined;
            settle(failure('soundHangs'));
            return;
          }
          this.#log.write('warn', `the sound system crashed the probe process: ${lastOutput}`);
          settle(failure('soundCrashes', {}, { detail: lastOutput }));
        },
      });
    });
    return { whenReady: ready, verdict };
  }
}

/** A driver that is used only if the probe has survived. */
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
