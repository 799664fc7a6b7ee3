import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { SoundServer } from '../../contract/sound/sound-server.ts';
import type { Answer, Order } from './subject.ts';
import { ToneWatch } from './tone.ts';
import { listenAt, speakInto } from './wires.ts';
import type { Mouth, Wire } from './wires.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A subject with an ear at its speaker and a mouth at its microphone. */
export class Stage {
  readonly which: string;
  readonly monitor = new ToneWatch(outputRate);
  /** An ear of the rig's own at the microphone, to know what the rig itself takes. */
  readonly besideMicrophone = new ToneWatch(inputRate);
  readonly #child: ChildProcess;
  readonly #server: SoundServer;
  readonly #wires: Wire[] = [];
  #orders = 0;

  private constructor(which: string, server: SoundServer) {
    this.which = which;
    this.#server = server;
    const { environment } = server;
    const words = [here('subject.ts'), which];
    this.#child = fork(here('../../contract/sound/run-module.mjs'), words, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#wires.push(
      listenAt('speaker.monitor', outputRate, environment, (block, at) => {
        this.monitor.hear(block, at);
      }),
      listenAt('micsrc', inputRate, environment, (block, at) => {
        this.besideMicrophone.hear(block, at);
      }),
    );
  }

  static async open(which: string, server: SoundServer): Promise<Stage> {
    const stage = new Stage(which, server);
    await once(stage.#child, 'message');
    // The first sound on such a card can come more than a second late.
    await wait(3000);
    return stage;
  }

  /** Resolves with nothing where the subject does not answer in time. */
  async emit(what: Order['what'], patienceMs = 10_000): Promise<Answer | undefined> {
    this.#orders += 1;
    const id = this.#orders;
    const order: Order = { id, what };
    const patience = new AbortController();
    const { signal } = patience;
    const answered = new Promise<Answer>((resolve) => {
      const hear = (answer: Answer): void => {
        if (answer.id !== id) return;
        this.#child.off('message', hear);
        resolve(answer);
      };
      this.#child.on('message', hear);
    });
    this.#child.send(order);
    const late = wait(patienceMs, undefined, { signal }).catch(() => undefined);
    const answer = await Promise.race([answered, late]);
    patience.abort();
    return answer;
  }

  async ask(what: Order['what']): Promise<Answer> {
    const answer = await this.emit(what);
    if (answer === undefined) throw new Error(`${this.which} does not answer to ${what}.`);
    return answer;
  }

  /** A loudspeaker beside the subject's, played to by plain pacat, to know what the rig itself takes. */
  async besideSpeaker(hear: (block: Float32Array, at: number) => void): Promise<Mouth> {
    await this.#server.plugIn('beside');
    const { environment } = this.#server;
    this.#wires.push(listenAt('beside.monitor', outputRate, environment, hear));
    return speakInto('beside', outputRate, 40, environment);
  }

  mouth(latencyMs: number): Mouth {
    return speakInto('mic', inputRate, latencyMs, this.#server.environment);
  }

  end(): void {
    for (const wire of this.#wires) wire.end();
    this.#child.kill('SIGKILL');
  }
}
