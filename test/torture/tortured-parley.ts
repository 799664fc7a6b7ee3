import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { ModuleProcess } from '../scenes/module-process.ts';
import type { ParleyMessage } from '../scenes/parley-process.ts';
import { findMessageFault } from '../simulation/invariant-checker.ts';
import type { ParleyReply } from './recovery-check.ts';
import type { LateBeat } from './tortured-process.ts';

const maxHangMs = 2000;
const beatMs = 100;
/** A reply that is missing for this long reveals a permanent hang, which sends no late beat. */
const answersWithinMs = 30_000;

interface Deps {
  readonly url: string;
  readonly dialect: 'auto' | DialectName;
  readonly environment: Readonly<Record<string, string>>;
  readonly fail: (sentence: string) => void;
}

/** A real Parley in a child process that can be suspended, killed and restarted, and whose heartbeat is monitored. */
export class TorturedParley {
  readonly #deps: Deps;
  readonly #replies = new Map<number, (reply: ParleyReply) => void>();
  #child: ModuleProcess | undefined;
  #asked = 0;
  #expectedEnd = false;
  /** When it last woke; suspension is not a hang. */
  #awakeSince = 0;
  /** Recent delays of the test's own timer, which the machine causes. */
  readonly #machineLate: { readonly at: number; readonly ms: number }[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  worstHangMs = 0;
  errorsShown = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    let last = instant();
    this.#heartbeat = setInterval(() => {
      const ms = instant() - last - beatMs;
      last = instant();
      this.#machineLate.push({ at: last, ms });
      if (this.#machineLate.length > 300) this.#machineLate.shift();
    }, beatMs);
  }

  async begin(): Promise<void> {
    const { url, dialect, environment } = this.#deps;
    this.#expectedEnd = false;
    this.#awakeSince = instant();
    const child = new ModuleProcess('../torture/tortured-process.ts', [url, dialect], environment);
    this.#child = child;
    const ready = new Promise((resolve) => this.#replies.set(0, resolve));
    child.process.on('message', (message: ParleyMessage | LateBeat) => {
      if ('lateMs' in message) this.#beat(message.lateMs);
      else if ('notice' in message) this.#noticed(message.notice);
      else this.#replies.get(message.id)?.(message.reply as ParleyReply);
    });
    child.process.once('exit', (code, signal) => {
      if (!this.#expectedEnd)
        this.#deps.fail(`Parley exited unexpectedly (${code ?? signal}): ${child.stderr}`);
      for (const reply of this.#replies.values()) reply({ ok: false });
    });
    await ready;
    this.#awakeSince = instant();
  }

  async ask(name: string, input?: unknown): Promise<ParleyReply> {
    this.#asked += 1;
    const id = this.#asked;
    const child = this.#child?.process;
    if (child?.connected !== true) return { ok: false };
    const reply = new Promise<ParleyReply>((resolve) => this.#replies.set(id, resolve));
    // A dying process refuses messages; its exit is reported separately.
    child.send({ id, name, input }, () => undefined);
    const hung = setTimeout(() => {
      if (this.#expectedEnd) return;
      this.#expectedEnd = true;
      this.#deps.fail(`Parley has not answered ${name} for ${answersWithinMs / 1000} s`);
      child.kill('SIGKILL');
    }, answersWithinMs);
    const answered = await reply;
    clearTimeout(hung);
    this.#replies.delete(id);
    return answered;
  }

  async view(): Promise<TalkView | undefined> {
    return (await this.ask('talk')).value as TalkView | undefined;
  }

  sleep(): void {
    this.#child?.process.kill('SIGSTOP');
  }

  wake(): void {
    this.#awakeSince = instant();
    this.#child?.process.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#expectedEnd = true;
    await this.#child?.kill();
  }

  async quit(): Promise<boolean> {
    this.#expectedEnd = true;
    const child = this.#child;
    child?.process.send({ id: -1, name: 'quit' }, () => undefined);
    clearInterval(this.#heartbeat);
    return (await child?.exited()) ?? true;
  }

  get megabytes(): number {
    const { process: child, gone } = this.#child ?? {};
    if (child === undefined || gone === true) return 0;
    const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024;
  }

  /** The process's stderr so far. */
  get stderr(): string {
    return this.#child?.stderr ?? '';
  }

  async exited(): Promise<void> {
    if (this.#child?.gone === false) await once(this.#child.process, 'exit');
  }

  #beat(lateMs: number): void {
    const now = instant();
    // Start or suspension delayed this beat.
    if (now - this.#awakeSince < lateMs + 1000) return;
    const since = now - lateMs - 5000;
    const machineMs = Math.max(0, ...this.#machineLate.map(({ at, ms }) => (at > since ? ms : 0)));
    this.worstHangMs = Math.max(this.worstHangMs, lateMs);
    if (lateMs > maxHangMs + 3 * machineMs)
      this.#deps.fail(
        `Parley hung for ${Math.round(lateMs)} ms, the machine for ${Math.round(machineMs)} ms`,
      );
  }

  #noticed({
    name,
    payload,
  }: Extract<ParleyMessage, { readonly notice: unknown }>['notice']): void {
    const ended =
      name === 'talkState' && payload.phase === 'ended' ? payload.ending.error : undefined;
    const error = name === 'talkTrouble' || name === 'chatProblem' ? payload : ended;
    if (error === undefined) return;
    this.errorsShown += 1;
    const wrong = findMessageFault(error);
    if (wrong !== undefined) this.#deps.fail(wrong);
  }
}
