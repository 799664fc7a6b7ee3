import type { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';
import type { DiskAccess } from './simulated-disk.ts';
import type { SimulatedLine } from './simulated-line.ts';
import type { SimulatedParley } from './simulated-parley.ts';
import type { SimulatedSound } from './simulated-sound.ts';
import type { ProcessClock } from './simulated-time.ts';

/** The rest of a killed process gets at most this many steps to end. */
const maxStepsAfterKill = 20_000;

export interface Run {
  readonly parley: SimulatedParley;
  readonly clock: ProcessClock;
  readonly access: DiskAccess;
  readonly sound: SimulatedSound;
  readonly line: SimulatedLine;
  readonly status: { isRunning: boolean };
  readonly sleep: FakeSystemSleep;
}

/** Kills a process so that nothing it planned has an effect. Returns whether it then ended. */
export async function killRun({
  status,
  access,
  sound,
  line,
  clock,
  parley,
}: Run): Promise<boolean> {
  status.isRunning = false;
  access.kill();
  sound.cut();
  line.hangUp();
  const separate = clock.kill();
  const { ended } = endOf(parley);
  for (let step = 0; !ended.over && step < maxStepsAfterKill; step += 1) {
    if (separate.next === undefined) await new Promise(setImmediate);
    else await separate.step();
  }
  return ended.over;
}

function endOf({ lifetime }: SimulatedParley): { readonly ended: { over: boolean } } {
  const ended = { over: false };
  const over = (): void => {
    ended.over = true;
  };
  lifetime.end().then(over, over);
  return { ended };
}
