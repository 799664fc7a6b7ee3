import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { ChildProcess, HostProcesses } from '../../../shared/ports/child-process.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { SoundDriver } from '../../audio/devices/sound-driver.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { patienceMs, patienceWhileStuckMs } from './portaudio-device-tables.ts';

/** Until it runs; a machine that is starting up takes its time. */
const startMs = 10_000;

const nothing = (): void => undefined;

interface RunningProbe {
  /** It runs and touches the sound system, or never will: until then nobody's patience is used up. */
  readonly asked: Promise<void>;
  readonly verdict: Promise<Outcome<undefined>>;
}

/**
 * Whether this process may touch the sound system. Asked once, when sound is first needed, in a process that
 * dies in our place; what came of it holds for the run. One that could not even be started says nothing of
 * the sound system, and forbids nothing.
 */
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

  /** Also settles where the sound system hangs: whoever comes next waits for the same answer. */
  async ask(): Promise<Outcome<undefined>> {
    this.#running ??= this.#run();
    const { asked, verdict: coming } = this.#running;
    await asked;
    const verdict = await withTimeout(this.#stuck ? patienceWhileStuckMs : patienceMs, coming);
    this.#stuck = verdict === timedOut;
    return verdict === timedOut ? failure('soundHangs') : verdict;
  }

  end(): void {
    this.#process?.kill();
  }

  #run(): RunningProbe {
    let tellAsked = nothing;
    const whenAsked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    const verdict = new Promise<Outcome<undefined>>((resolve) => {
      let asked = false;
      let survived = false;
      const settle = (found: Outcome<undefined>): void => {
        clearTimeout(late);
        tellAsked();
        resolve(found);
      };
      const unprobed = (why: string): void => {
        this.#log.write('warn', `the sound system is asked without a trial: ${why}`);
        settle({ ok: true, value: undefined });
      };
      // The timer alone keeps a command alive until the process runs: it is waited for.
      const late = setTimeout(() => {
        this.#process?.kill();
        unprobed('the process for it did not start in time');
      }, startMs);
      this.#process = this.#start({
        message: (message) => {
          if (message === 'ready') {
            clearTimeout(late);
            asked = true;
            this.#process?.post('ask');
            tellAsked();
          } else if (message === 'survived') {
            survived = true;
            settle({ ok: true, value: undefined });
            this.#process?.kill();
          }
        },
        ended: (lastWords) => {
          this.#process = undefined;
          // It was ended by us.
          if (survived) return;
          if (!asked) {
            unprobed(`the process for it ended: ${lastWords}`);
            return;
          }
          this.#log.write('warn', `the sound system ended who asked it: ${lastWords}`);
          settle(failure('soundCrashes', {}, { detail: lastWords }));
        },
      });
    });
    return { asked: whenAsked, verdict };
  }
}

/** The same sound, but nothing of it is touched before the probe has come back alive. */
export function probedSoundDriver(driver: SoundDriver, probe: SoundProbe): SoundDriver {
  const probed = async <Value>(ask: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
    const allowed = await probe.ask();
    return allowed.ok ? ask() : allowed;
  };
  return {
    systemMovesStreams: driver.systemMovesStreams,
    devices: () => probed(() => driver.devices()),
    openSpeaker: (...wanted) => probed(() => driver.openSpeaker(...wanted)),
    openMicrophone: (...wanted) => probed(() => driver.openMicrophone(...wanted)),
  };
}
