import {
  type GatewayOptions,
  defaultGatewayOptions,
  type Fault,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../electron/gateway/in-process-sockets.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import type { ConversationEvent } from '../../electron/talk/conversation-options.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { Random } from '../../shared/ports/clock.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { fakeServerFacts } from '../fakes/fake-server-facts.ts';
import { FakeSystemSleep } from '../fakes/fake-system-sleep.ts';
import { seeded } from '../fakes/seeded.ts';
import {
  injectNetworkFault,
  doChatStep,
  isChatAction,
  isNetworkFault,
  doUserAction,
  type Step,
} from './steps.ts';
import { markedSpeech } from './answer-checker.ts';
import { DiskAccess, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import {
  type ParleyPorts,
  startParley,
  killProcess,
  type SimulatedProcess,
} from './simulated-parley.ts';
import { SimulatedSound } from './simulated-sound.ts';
import { simulatedStorage } from './simulated-storage.ts';
import { ProcessClock, SimulatedTime } from './simulated-time.ts';
import type { ProcessEnding } from './storage-durability.ts';
import { InvariantChecker } from './invariant-checker.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';

/** The day on which every world begins. */
const firstDay = Date.UTC(2026, 0, 1);
const startMs = 700;
/** How long after muted speech appends are searched for it, because a backlog or a pre-roll could still send it. */
const mutedForMs = 60_000;

/** Plants a bug in the ports of Parley, which a simulation must find. */
export type PlantBug = (ports: ParleyPorts) => ParleyPorts;

/** A simulated world: one process of Parley at a time, its user, server, disk, network and devices, all decided by one seed. */
export class SimulatedWorld {
  readonly time = new SimulatedTime();
  readonly watch: InvariantChecker;
  /** Creates a random number generator for one part of the world alone. */
  readonly #createRandom: () => Random;
  readonly #disk: SimulatedDisk;
  readonly #gateway;
  readonly #dialect: GatewayOptions['dialect'];
  readonly #servers = fakeServerFacts();
  readonly #plantBug: PlantBug;
  #run: SimulatedProcess | undefined;
  #starts = 0;
  #speaksUntil = 0;
  #spokeMutedAt = -Infinity;
  #sleptMs = 0;
  #headsetIsThere = true;
  readonly #tasks = new TaskQueue();
  events = 0;

  constructor(seed: number, plantBug: PlantBug = (ports) => ports) {
    this.#plantBug = plantBug;
    let streams = 0;
    this.#createRandom = () => seeded(seed * 1000 + (streams += 1));
    this.#disk = new SimulatedDisk({ clock: this.time, random: this.#createRandom() });
    const options = randomGatewayOptions(this.#createRandom());
    this.#dialect = options.dialect;
    this.#gateway = openGateway(options, {
      clock: this.time,
      wallClock: this.time.now,
      random: this.#createRandom(),
      codec: createServerCodec(bufferBase64),
      pictures: fakePictures(),
      speech: markedSpeech(),
    });
    this.watch = new InvariantChecker(this);
  }

  get run(): SimulatedProcess | undefined {
    return this.#run;
  }

  get disk(): SimulatedDisk {
    return this.#disk;
  }

  get now(): number {
    return this.time.now();
  }

  /** Runs the steps until a moment or the first violation. */
  async play(steps: readonly Step[], until: number): Promise<void> {
    this.#tasks.add(() => this.#begin());
    for (const step of steps) {
      this.time.after(step.at - this.now, () => {
        this.#tasks.add(() => this.#do(step));
      });
    }
    for (;;) {
      // Work that needs no time may still be running.
      if (this.time.next === undefined) await new Promise(setImmediate);
      const { next } = this.time;
      const isOver = this.watch.wrong !== undefined || next === undefined || next > until;
      this.#tasks.check();
      // Let a process that is starting or quitting finish.
      if (isOver && this.#tasks.isDone) break;
      if (next === undefined) {
        this.watch.reportHang();
        break;
      }
      await this.time.step();
      this.events += 1;
      this.watch.look();
    }
    const { run } = this;
    if (run !== undefined) await this.#kill(run);
    void this.#gateway.end();
  }

  async #begin(): Promise<void> {
    this.#starts += 1;
    const clock = new ProcessClock(this.time);
    const random = this.#createRandom();
    const access = new DiskAccess(this.#disk, { clock: this.time, random });
    const sleep = new FakeSystemSleep();
    const status = { isRunning: true };
    const sound = new SimulatedSound({
      clock: this.time,
      room: {
        loudness: () => this.#loudness(),
        heard: (samples) => {
          if (status.isRunning) this.watch.answers.heard(samples, this.now);
        },
        silenced: () => {
          if (status.isRunning) this.watch.answers.cut();
        },
      },
    });
    sound.setHeadset(this.#headsetIsThere);
    const line = new SimulatedNetwork({
      clock: this.time,
      random,
      server: inProcessSockets(this.#gateway, this.time),
      watch: {
        sent: (text, mode, afterEnd) => {
          const close = this.now - this.#spokeMutedAt < mutedForMs;
          const append = mode === 'chat' ? undefined : findAppend(text, this.#dialect, close);
          if (status.isRunning) this.watch.sent(append, afterEnd);
        },
      },
    });
    const ports: ParleyPorts = {
      clock,
      random,
      storage: simulatedStorage(access, this.#starts),
      sound,
      server: line,
      servers: this.#servers,
      systemSleep: sleep,
      wallNow: () => firstDay + this.now + this.#sleptMs,
      notice: (notice: Notice) => {
        if (status.isRunning) this.watch.notice(notice);
      },
      talkEvent: (event: ConversationEvent) => {
        if (status.isRunning) this.watch.talkEvent(event);
        return event;
      },
    };
    const parley = await startParley(this.#plantBug(ports));
    this.#run = { parley, clock, access, sound, line, sleep, status };
    parley.settings.listen(() => {
      if (status.isRunning) this.watch.settingsChanged();
    });
    await this.watch.begun(this.#run);
  }

  #loudness(): number {
    if (this.now > this.#speaksUntil) return quietSample;
    if (!this.watch.isMutedOrPaused) return spokenSample;
    this.#spokeMutedAt = this.now;
    return mutedSample;
  }

  async #do(step: Step): Promise<void> {
    const { run } = this;
    if (run === undefined) return;
    if (step.does === 'restart') await this.#restart(run, step.how);
    else if (step.does === 'speak') this.#speaksUntil = this.now + step.ms;
    else if (step.does === 'unplug') {
      this.#setHeadset(false);
      this.time.after(step.ms, () => {
        this.#setHeadset(true);
      });
    } else if (step.does === 'fillDisk') {
      this.watch.diskFilled(step.ms);
      this.#disk.fillFor(step.ms);
    } else if (step.does === 'sleep') this.#sleep(run, step.ms);
    else if (isNetworkFault(step)) injectNetworkFault(step, run.line, this.time);
    else if (isChatAction(step)) {
      // A user who quits does not wait for the answer.
      const doing = doChatStep(step, run.parley, this.watch.chats);
      this.#tasks.watch(doing, run.status);
    } else doUserAction(step, run.parley);
  }

  /** Advances the calendar alone: timers do not run during sleep. */
  #sleep({ sleep, line }: SimulatedProcess, ms: number): void {
    sleep.suspend();
    line.cut();
    this.#sleptMs += ms;
    sleep.resume();
  }

  #setHeadset(isThere: boolean): void {
    this.#headsetIsThere = isThere;
    this.run?.sound.setHeadset(isThere);
  }

  async #restart(run: SimulatedProcess, how: ProcessEnding): Promise<void> {
    this.watch.ends(how);
    if (how === 'quit') {
      this.#run = undefined;
      await run.parley.lifetime.end();
      run.status.isRunning = false;
      this.watch.checkQuit(run);
      // The process has ended, so it can no longer change the disk.
      run.access.kill();
    } else {
      await this.#kill(run);
      if (how === 'powerCut') this.#disk.powerCut();
    }
    await new Promise<void>((resolve) => {
      this.time.after(startMs, resolve);
    });
    await this.#begin();
  }

  /** Kills the process at once: only its pending disk operations may still take effect. */
  async #kill(run: SimulatedProcess): Promise<void> {
    this.#run = undefined;
    if (!(await killProcess(run))) this.watch.reportHang();
  }
}

/** Runs slow steps of a world one after another; the first error becomes the run's failure. */
class TaskQueue {
  #last: Promise<void> = Promise.resolve();
  #working = 0;
  #failure: Error | undefined;

  get isDone(): boolean {
    return this.#working === 0;
  }

  add(work: () => Promise<void>): void {
    this.#working += 1;
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) => {
        this.#fail(error);
      })
      .finally(() => {
        this.#working -= 1;
      });
  }

  /** Reports an error of work that nobody waits for, unless its process has ended. */
  watch(work: Promise<void>, status: { readonly isRunning: boolean }): void {
    work.catch((error: unknown) => {
      if (status.isRunning) this.#fail(error);
    });
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }
}

/** Options of an embedded gateway with random faults, timing and limits. */
function randomGatewayOptions(random: Random): GatewayOptions {
  const faults: Fault[] = [];
  const add = (chance: number, fault: () => Fault): void => {
    if (random() < chance) faults.push(fault());
  };
  const step = (): number => 1 + Math.floor(60 * random());
  const session = (): number => 1 + Math.floor(8 * random());
  add(0.5, () => ({ kind: 'delay', ms: 600 * random(), jitterMs: 400 * random() }));
  add(0.3, () => ({ kind: 'drop', session: session(), atStep: step() }));
  add(0.2, () => ({ kind: 'stall', session: session(), atStep: step() }));
  add(0.2, () => ({ kind: 'garbage', session: session(), atStep: step(), what: 'text' }));
  add(0.2, () => ({ kind: 'closed', session: session(), atStep: step(), reason: 'timeout' }));
  add(0.1, () => ({ kind: 'neverCreated', session: session() }));
  add(0.1, () => ({ kind: 'refuse', session: session(), status: 503, body: 'busy' }));
  const seconds = 60 + Math.floor(400 * random());
  return {
    ...defaultGatewayOptions,
    dialect: random() < 0.7 ? 'unified' : 'legacy',
    workers: 1 + Math.floor(3 * random()),
    stepMs: 100 + Math.floor(500 * random()),
    sessionSeconds: { audio: seconds, video: seconds },
    faults,
  };
}

/** Speech while Parley shows that the user is muted or the talk is paused. */
const mutedSample = 0.3125;
const spokenSample = 0.25;
const quietSample = 0.0005;

const codec = createServerCodec(bufferBase64);

/** A frame with more characters is an append, because frames without sound are far shorter. */
const appendLength = 4000;

/** The append in a client's frame, or undefined. Searches it for speech of a muted user only with `mayBeMuted`, because decoding is slow. */
function findAppend(
  text: string,
  dialect: DialectName,
  mayBeMuted: boolean,
): { readonly saidMuted: boolean } | undefined {
  if (!mayBeMuted) return text.length > appendLength ? { saidMuted: false } : undefined;
  const event = codec.decodeClientEvent(text, dialect);
  if (event.kind !== 'append') return undefined;
  return { saidMuted: event.audio.includes(mutedSample) };
}
