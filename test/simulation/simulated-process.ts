import type { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';
import type { DiskAccess } from './simulated-disk.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import type { SimulatedParley } from './simulated-parley.ts';
import type { SimulatedSound } from './simulated-sound.ts';
import type { ProcessClock } from './simulated-time.ts';

/** A killed process must end within this many steps of its clock. */
const maxStepsAfterKill = 20_000;

/** One process of Parley in the simulated world. */
export interface SimulatedProcess {
  readonly parley: SimulatedParley;
  readonly clock: ProcessClock;
  readonly access: DiskAccess;
  readonly sound: SimulatedSound;
  readonly line: SimulatedNetwork;
  readonly status: { isRunning: boolean };
  readonly sleep: FakeSystemSleep;
}

/** Kills a process: only its pending disk operations may still take effect. Returns whether it then ended. */
export async function killProcess({
  status,
  access,
  sound,
  line,
  clock,
  parley,
}: SimulatedProcess): Promise<boolean> {
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
