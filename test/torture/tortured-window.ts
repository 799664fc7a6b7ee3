import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Lifetime } from '../../shared/lifetime.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { openDrivenApp, settleIn, type DrivenApp } from '../bench/window/driven-app.ts';
import { instant } from '../contract/sound/player.ts';
import { fakeCameraFlags } from '../e2e/fixtures/fake-camera.ts';
import type { ParleyUnderTest, ParleyReply } from './recovery-check.ts';
import type { NetworkFaultProxy } from './network-fault-proxy.ts';
import type { SoundServer } from '../contract/sound/sound-server.ts';

interface AppProcess {
  readonly pid: number;
  readonly what: string;
}

/** Long enough to reload a killed page or reopen the app. */
const timeoutMs = 30_000;
const onceWithinMs = 3000;

/** A real Parley with its window, whose processes can be killed, and which can be reopened with its state. */
export class TorturedWindow implements ParleyUnderTest {
  readonly #home = mkdtempSync(join(tmpdir(), 'parley-tortured-'));
  readonly #fail: (sentence: string) => void;
  #lifetime = new Lifetime('a tortured window');
  #app: DrivenApp | undefined;
  #expectedEnd = false;

  constructor(fail: (sentence: string) => void) {
    this.#fail = fail;
  }

  async open(): Promise<void> {
    if (this.#app === undefined) await settleIn(this.#home);
    this.#expectedEnd = false;
    this.#lifetime = new Lifetime('a tortured window');
    const app = await openDrivenApp(this.#lifetime, {
      flags: fakeCameraFlags(30),
      home: this.#home,
    });
    this.#app = app;
    void this.#watch(app);
  }

  /** Kills all processes at once, so that none can clean up. */
  async killAll(): Promise<void> {
    this.#expectedEnd = true;
    const processes = await this.#processes();
    for (const { pid } of processes) end(pid);
    await this.#app?.exited;
    await this.#lifetime.end();
  }

  /** Kills a process; if it starts lazily, repeats `begin` until it exists. */
  async kill(what: RegExp, begin?: () => Promise<unknown>): Promise<void> {
    const until = instant() + timeoutMs;
    while (instant() < until) {
      await begin?.();
      const victim = (await this.#processes()).find((each) => what.test(each.what));
      if (victim !== undefined) {
        end(victim.pid);
        return;
      }
      await wait(200);
    }
    const there = (await this.#processes()).map((each) => each.what).join(', ');
    this.#fail(`there is no process ${what.source} to be killed; there are ${there}`);
  }

  async ask(name: string, input?: unknown): Promise<ParleyReply> {
    const words = input === undefined ? `'${name}'` : `'${name}', ${JSON.stringify(input)}`;
    const reply = await this.#untilAnswered<ParleyReply>(`window.parley.request(${words})`);
    return reply ?? { ok: false };
  }

  async view(): Promise<TalkView | undefined> {
    return (await this.ask('talk')).value as TalkView | undefined;
  }

  async text(code = 'document.body.innerText'): Promise<string> {
    return (await this.#untilAnswered<string>(code)) ?? '';
  }

  get megabytes(): number {
    const status = readFileSync(`/proc/${this.#app?.pid ?? 0}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024;
  }

  async end(): Promise<void> {
    this.#expectedEnd = true;
    await this.#lifetime.end();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #watch(app: DrivenApp): Promise<void> {
    await app.exited;
    if (!this.#expectedEnd && this.#app === app) this.#fail('Parley exited unexpectedly');
  }

  async #processes(): Promise<readonly AppProcess[]> {
    return ((await this.#app?.ask('processes')) ?? []) as readonly AppProcess[];
  }

  /** Gives up after a while, because a crashed page never replies. */
  async #untilAnswered<T>(code: string): Promise<T | undefined> {
    const until = instant() + timeoutMs;
    while (instant() < until) {
      const asked = this.#app?.ask('page', code).catch(() => undefined);
      const answer = await Promise.race([asked, wait(onceWithinMs)]);
      if (answer !== undefined && answer !== null) return answer as T;
      await wait(200);
    }
    this.#fail(`the window did not answer within ${timeoutMs / 1000} s: ${code}`);
    return undefined;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

/** Everything that a fault of the window test can disturb. */
export interface WindowFaultTarget {
  readonly parley: TorturedWindow;
  readonly line: NetworkFaultProxy;
  readonly sound: SoundServer;
}

interface WindowFault {
  readonly name: string;
  readonly inject: (target: WindowFaultTarget) => Promise<void> | void;
  /** The message that the window must show. */
  readonly message?: RegExp;
  /** Whether the fault may end the talk. */
  readonly mayEnd?: boolean;
  /** Whether the record must contain a part of an answer before the fault. */
  readonly needsAnswer?: boolean;
}

const killing =
  (what: RegExp) =>
  ({ parley }: WindowFaultTarget): Promise<void> =>
    parley.kill(what);

/** Each kills a process or cuts the connection during a talk with camera. */
export const windowFaults: readonly WindowFault[] = [
  { name: 'page', inject: killing(/^Tab/u), message: /This window crashed and was reopened/u },
  // On Linux, the network service has no separate process.
  ...(process.platform === 'linux'
    ? []
    : [{ name: 'network', inject: killing(/^Utility .*network/iu) }]),
  { name: 'camera', inject: killing(/^Utility .*video_capture/iu) },
  { name: 'key', inject: killing(/^Utility .*Parley keys/u) },
  { name: 'compositor', inject: killing(/^GPU/u) },
  {
    name: 'line',
    inject: ({ line }) => line.cut(),
  },
  {
    name: 'sound server',
    inject: async ({ sound }) => {
      await sound.kill();
      await sound.start();
    },
  },
  {
    name: 'whole app',
    mayEnd: true,
    message: /Parley ended unexpectedly; your talk until .+ is kept/u,
    needsAnswer: true,
    inject: async ({ parley }) => {
      await parley.killAll();
      await parley.open();
    },
  },
];
