import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { SoundServer } from '../../contract/sound/sound-server.ts';
import { type PlayingProcess, playInto, recordFrom, type SoundProcess } from './sound-processes.ts';
import type { Command, Reply } from './subject.ts';
import { ToneWatch } from './tone.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A measured process with a recorder at its speaker and a player at its microphone. */
export class MeasuredProcess {
  readonly which: string;
  readonly monitor = new ToneWatch(outputRate);
  /** The rig's own recorder at the microphone, to measure the rig's delay. */
  readonly besideMicrophone = new ToneWatch(inputRate);
  readonly #child: ChildProcess;
  readonly #server: SoundServer;
  readonly #processes: SoundProcess[] = [];
  #commands = 0;

  private constructor(which: string, server: SoundServer) {
    this.which = which;
    this.#server = server;
    const { environment } = server;
    const words = [here('subject.ts'), which];
    this.#child = fork(here('../../contract/sound/run-module.mjs'), words, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#processes.push(
      recordFrom('speaker.monitor', outputRate, environment, (block, at) => {
        this.monitor.push(block, at);
      }),
      recordFrom('micsrc', inputRate, environment, (block, at) => {
        this.besideMicrophone.push(block, at);
      }),
    );
  }

  static async open(which: string, server: SoundServer): Promise<MeasuredProcess> {
    const subject = new MeasuredProcess(which, server);
    await once(subject.#child, 'message');
    // The first sound on a virtual card may be more than a second late.
    await wait(3000);
    return subject;
  }

  /** Undefined if the process does not reply in time. */
  async request(what: Command['what'], timeoutMs = 10_000): Promise<Reply | undefined> {
    this.#commands += 1;
    const id = this.#commands;
    const command: Command = { id, what };
    const patience = new AbortController();
    const { signal } = patience;
    const replied = new Promise<Reply>((resolve) => {
      const onReply = (reply: Reply): void => {
        if (reply.id !== id) return;
        this.#child.off('message', onReply);
        resolve(reply);
      };
      this.#child.on('message', onReply);
    });
    this.#child.send(command);
    const late = wait(timeoutMs, undefined, { signal }).catch(() => undefined);
    const reply = await Promise.race([replied, late]);
    patience.abort();
    return reply;
  }

  async ask(what: Command['what']): Promise<Reply> {
    const reply = await this.request(what);
    if (reply === undefined) throw new Error(`${this.which} does not reply to ${what}.`);
    return reply;
  }

  /** Plays with plain pacat beside the measured process, to measure the rig's delay. */
  async besideSpeaker(
    captured: (block: Float32Array, at: number) => void,
  ): Promise<PlayingProcess> {
    await this.#server.plugIn('beside');
    const { environment } = this.#server;
    this.#processes.push(recordFrom('beside.monitor', outputRate, environment, captured));
    return playInto('beside', outputRate, 40, environment);
  }

  microphone(latencyMs: number): PlayingProcess {
    return playInto('mic', inputRate, latencyMs, this.#server.environment);
  }

  end(): void {
    for (const one of this.#processes) one.end();
    this.#child.kill('SIGKILL');
  }
}
