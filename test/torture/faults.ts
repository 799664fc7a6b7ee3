import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../shared/ports/clock.ts';
import type { SoundServer } from '../contract/sound/sound-server.ts';
import type { NetworkFaultProxy } from './network-fault-proxy.ts';
import type { FillableDisk } from './fillable-disk.ts';
import { hourMs, type SettableClock, yearMs } from './settable-clock.ts';
import type { TorturedParley } from './tortured-parley.ts';

/** Everything that a fault can disturb: Parley, and the network, sound server, disk and clock around it. */
export interface FaultInjectionTarget {
  readonly parley: TorturedParley;
  readonly line: NetworkFaultProxy;
  readonly sound: SoundServer;
  /** Undefined if the machine allows no test disk. */
  readonly disk: FillableDisk | undefined;
  readonly calendar: SettableClock;
  readonly random: Random;
}

type InjectFault = (target: FaultInjectionTarget) => Promise<void> | void;

/** Faults and requests, with their weights. A changed line lasts until the proxy heals, a changed clock until it is set right. */
export const faults: readonly (readonly [name: string, weight: number, inject: InjectFault])[] = [
  ['delay', 6, ({ line, random }) => void (line.state.delayMs = 800 * random())],
  ['jitter', 6, ({ line, random }) => void (line.state.jitterMs = 600 * random())],
  ['throttle', 6, ({ line, random }) => void (line.state.msPerKilobyte = 30 * random())],
  ['cut', 8, ({ line }) => line.cut()],
  ['reset', 6, ({ line }) => line.reset()],
  ['flood', 5, ({ line }) => line.flood(1500)],
  ['mutate', 8, ({ line, random }) => void (line.state.mutationRate = 0.5 * random())],
  ['good line', 8, ({ line }) => line.heal()],
  [
    'half-open',
    6,
    async ({ line, random }) => {
      line.state.stalled = true;
      await wait(1500 * random());
      line.state.stalled = false;
    },
  ],
  [
    'no network',
    5,
    async ({ line, random }) => {
      line.state.down = true;
      line.cut();
      await wait(1500 * random());
      line.state.down = false;
    },
  ],
  [
    'sound server hangs',
    3,
    async ({ sound, random }) => {
      sound.freeze();
      await wait(2500 * random());
      sound.thaw();
    },
  ],
  [
    'sound server dies',
    2,
    async ({ sound }) => {
      await sound.kill();
      await wait(300);
      await sound.start();
    },
  ],
  [
    'disk full',
    5,
    async ({ disk, random }) => {
      if (disk === undefined) return;
      await disk.fill();
      await wait(1500 * random());
      disk.empty();
    },
  ],
  [
    'sleep',
    5,
    async ({ parley, random }) => {
      parley.sleep();
      await wait(2500 * random());
      parley.wake();
    },
  ],
  ['clock set', 8, setCalendar],
  ['clock set right', 3, ({ calendar }) => calendar.setRight()],
  ['start', 12, ask('startTalk', { mode: 'audio' })],
  ['continue', 6, ask('continueTalk', { carry: 'transcript' })],
  ['end', 5, ask('endTalk')],
  ['interrupt', 5, ask('interruptTalk')],
  ['mute', 3, ask('setMuted', { muted: true })],
  ['unmute', 5, ask('setMuted', { muted: false })],
  ['write', 8, ask('sendChat', { parts: [{ type: 'text', text: 'Tell me more.' }] })],
  ['new chat', 3, ask('beginChat')],
  ['kill', 1, killAndRestart],
];

/** Shifts by hours (a wrong time zone) or years (an empty battery), with equal probability. */
export function setCalendar({
  calendar,
  random,
}: Pick<FaultInjectionTarget, 'calendar' | 'random'>): void {
  const maxMs = random() < 0.5 ? 12 * hourMs : 5 * yearMs;
  calendar.setBy(maxMs * (2 * random() - 1));
}

/** Sends a request that may be refused; the heartbeat shows whether Parley still responds. */
function ask(name: string, input?: unknown): InjectFault {
  return ({ parley }) => {
    void parley.ask(name, input);
  };
}

async function killAndRestart({ parley, line }: FaultInjectionTarget): Promise<void> {
  await parley.kill();
  line.heal();
  await parley.begin();
}
