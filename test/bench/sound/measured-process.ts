import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { SoundServer } from '../../contract/sound/sound-server.ts';
import { type PlayingProcess, playInto, recordFrom, type SoundProcess } from './sound-processes.ts';
import type { Command, Reply } from './subject.ts';
import { Tone, ToneWatch } from './tone.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A measured process with a recorder at its speaker and a player at its microphone. */
export class MeasuredProcess {
  readonly #which: string;
  readonly monitor = new ToneWatch();
  readonly #child: ChildProcess;
  readonly #server: SoundServer;
  readonly #processes: SoundProcess[] = [];
  #commands = 0;

  private constructor(which: string, server: SoundServer) {
    this.#which = which;
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
    );
  }

  static async open(which: string, server: SoundServer): Promise<MeasuredProcess> {
    const subject = new MeasuredProcess(which, server);
    await once(subject.#child, 'message');
    // The first sound on a virtual card may be more than a second late.
    await wait(3000);
    return subject;
  }

  async ask(what: Command['what']): Promise<Reply> {
    this.#commands += 1;
    const id = this.#commands;
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
    this.#child.send({ id, what } satisfies Command);
    const late = wait(10_000, undefined, { signal }).catch(() => undefined);
    const reply = await Promise.race([replied, late]);
    patience.abort();
    if (reply === undefined) throw new Error(`${this.#which} does not reply to ${what}.`);
    return reply;
  }

  microphone(latencyMs: number): PlayingProcess {
    return playInto('mic', inputRate, latencyMs, this.#server.environment);
  }

  end(): void {
    for (const one of this.#processes) one.end();
    this.#child.kill('SIGKILL');
  }
}

const rounds = 24;

/** Delays of a sound path in milliseconds, one value a round. */
export interface Delays {
  readonly sounds: readonly number[];
  readonly silences: readonly number[];
  readonly blocks: readonly number[];
}

export async function delaysOf(subject: MeasuredProcess): Promise<Delays> {
  const [sounds, silences]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    subject.monitor.reset();
    const played = await subject.ask('play');
    await wait(500 + round);
    const { began } = subject.monitor;
    const flushed = await subject.ask('flush');
    await wait(350);
    const { ended } = subject.monitor;
    if (began === undefined || ended === undefined) continue;
    sounds.push(began - played.at);
    silences.push(ended - flushed.at);
  }
  return { sounds, silences, ...(await microphoneDelays(subject)) };
}

async function microphoneDelays(subject: MeasuredProcess): Promise<Pick<Delays, 'blocks'>> {
  const microphone = subject.microphone(10);
  const blocks: number[] = [];
  const silence = new Float32Array(inputRate / 50);
  await microphone.play(new Float32Array(inputRate / 2));
  await wait(1500);
  for (let round = 0; round < rounds; round += 1) {
    await subject.ask('reset');
    const at = performance.timeOrigin + performance.now();
    await microphone.play(new Tone(inputRate).next(inputRate / 10));
    await microphone.play(silence);
    await wait(300 + round);
    const { began } = await subject.ask('began');
    if (began !== undefined) blocks.push(began - at);
  }
  microphone.end();
  return { blocks };
}
