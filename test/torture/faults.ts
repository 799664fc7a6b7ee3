import { setTimeout as wait } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  closeSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../shared/ports/clock.ts';
import type { SoundServer } from '../contract/sound/sound-server.ts';
import type { NetworkFaultProxy } from './network-fault-proxy.ts';
import type { TorturedParley } from './tortured-parley.ts';
import { runTool } from '../contract/sound/run-tool.ts';

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

/** Faults and requests, with their weights. A network fault lasts until `good line`; a wrong clock, until it is set right. */
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

/** A small test disk that can be filled. */
export class FillableDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-torture-'));
  readonly #mounted: boolean;
  readonly #filler = join(this.folder, 'filler');

  constructor(megabytes: number) {
    this.#mounted = mounts(this.folder, megabytes);
  }

  /** Without permission to mount, the disk is an ordinary folder. */
  get canBeFull(): boolean {
    return this.#mounted;
  }

  async fill(): Promise<void> {
    const { bavail, bsize } = statfsSync(this.folder);
    await runTool('fallocate', ['-l', String(Math.max(1, bavail * bsize)), this.#filler]);
  }

  empty(): void {
    rmSync(this.#filler, { force: true });
  }

  /** Copies the disk, to examine it after a failure. */
  copy(): string {
    const copied = mkdtempSync(join(tmpdir(), 'parley-tortured-'));
    cpSync(this.folder, copied, { recursive: true });
    return copied;
  }

  end(): void {
    if (this.#mounted) execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}

function mounts(folder: string, megabytes: number): boolean {
  const words = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  try {
    execFileSync('mount', words, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

const source = fileURLToPath(new URL('wall-clock.c', import.meta.url));

const nanosecondsPerMs = 1_000_000n;
/** The file format of wall-clock.c: a count, then shifts with the time from which each applies. */
const [headBytes, shiftBytes, maxShifts] = [16, 16, 4095];
/** Keeps dates within the range that all calendars support. */
const maxOffsetYears = 40;
const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

/** Sets the wall clock of processes with its environment; the monotonic clock is not changed. */
export class SettableClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-calendar-'));
  readonly #library = join(this.#folder, 'wall-clock.so');
  readonly #path = join(this.#folder, 'shifts');
  readonly #file = openSync(this.#path, 'w', 0o600);
  /** Why the clock cannot be set here. */
  readonly missing: string | undefined;
  #count = 0;
  #offsetMs = 0;

  constructor() {
    ftruncateSync(this.#file, headBytes + maxShifts * shiftBytes);
    this.missing = compile(this.#library);
  }

  /** Offset from the machine's clock. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  get environment(): Readonly<Record<string, string>> {
    if (this.missing !== undefined) return {};
    // Keeps libraries that are already preloaded, such as a sanitizer.
    const { LD_PRELOAD: under } = process.env;
    const preloaded = under === undefined ? [this.#library] : [under, this.#library];
    return { LD_PRELOAD: preloaded.join(' '), WALL_CLOCK_SHIFTS: this.#path };
  }

  /** Moves the clock forward or back from its current setting. */
  setBy(ms: number): void {
    const maxOffsetMs = maxOffsetYears * yearMs;
    this.#set(Math.max(-maxOffsetMs, Math.min(maxOffsetMs, this.#offsetMs + Math.round(ms))));
  }

  setRight(): void {
    this.#set(0);
  }

  end(): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true });
  }

  /** Writes the entry before the count, because other processes read the file. */
  #set(offsetMs: number): void {
    if (this.#count === maxShifts) return;
    this.#offsetMs = offsetMs;
    const shift = new BigInt64Array([
      BigInt(Date.now()) * nanosecondsPerMs,
      BigInt(offsetMs) * nanosecondsPerMs,
    ]);
    writeSync(this.#file, shift, 0, shiftBytes, headBytes + this.#count * shiftBytes);
    this.#count += 1;
    writeSync(this.#file, new BigInt64Array([BigInt(this.#count)]), 0, 8, 0);
  }
}

function compile(library: string): string | undefined {
  if (process.platform !== 'linux') return 'The test clock needs Linux.';
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `The test clock could not be compiled: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'no compiler'}.`;
  }
}
