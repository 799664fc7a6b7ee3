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
  readonly asked: Promise<void>;
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
    const { asked, verdict: pendingVerdict } = this.#running;
    await asked;
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
    let resolveAsked = noop;
    const whenAsked = new Promise<void>((resolve) => {
      resolveAsked = resolve;
    });
    const verdict = new Promise<Outcome<undefined>>((resolve) => {
      let asked = false;
      let survived = false;
      const settle = (found: Outcome<undefined>): void => {
        clearTimeout(late);
        resolveAsked();
        resolve(found);
      };
      const allowUnprobed = (why: string): void => {
        this.#log.write('warn', `the sound system is asked without a trial: ${why}`);
        settle({ ok: true, value: undefined });
      };
      // Keeps a command's process alive until the probe runs.
      const late = setTimeout(() => {
        this.#process?.kill();
        allowUnprobed('the process for it did not start in time');
      }, startMs);
      this.#process = this.#start({
        message: (message) => {
          if (message === 'ready') {
            clearTimeout(late);
            asked = true;
            this.#process?.post('ask');
            resolveAsked();
          } else if (message === 'survived') {
            survived = true;
            settle({ ok: true, value: undefined });
            this.#process?.kill();
          }
        },
        ended: (lastOutput) => {
          this.#process = undefined;
          if (survived) return;
          if (!asked) {
            allowUnprobed(`the process for it ended: ${lastOutput}`);
            return;
          }
          this.#log.write('warn', `the sound system ended who asked it: ${lastOutput}`);
          settle(failure('soundCrashes', {}, { detail: lastOutput }));
        },
      });
    });
    return { asked: whenAsked, verdict };
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
