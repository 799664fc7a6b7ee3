import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  inputRate,
  outputRate,
  type DialectName,
  type DuplexMode,
} from '../../../shared/protocol/realtime-api.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { playInto, recordFrom, type SoundProcess } from '../sound/sound-processes.ts';
import { makeFrames } from './camera-frames.ts';
import { BenchProcess } from './bench-process.ts';
import type { GatewayMessage, GatewayPlan, SentOutput } from './gateway.ts';
import { SoundTape, Voice } from './sound-tape.ts';
import type { Command, TalkProcessMessage, TalkProcessStats } from './measured-talk.ts';
import { raisePriority } from '../bench-helpers.ts';
import { Tone } from '../sound/tone.ts';

export interface RigPlan extends GatewayPlan {
  readonly mode?: DuplexMode;
  readonly dialect?: 'auto' | DialectName;
}

/**
 * A Parley without learned state, the embedded gateway, a user at the virtual microphone, and recorders at both ends of
 * the virtual card.
 */
export class Rig {
  /** Recordings of the speaker and of the microphone. */
  readonly monitor = new SoundTape(outputRate);
  readonly source = new SoundTape(inputRate);
  readonly gateway: BenchProcess<GatewayMessage>;
  readonly talkProcess: BenchProcess<TalkProcessMessage, Command>;
  readonly #soundServer: SoundServer;
  readonly #folder: string;
  readonly #voice: Voice;
  readonly #recorders: readonly SoundProcess[];
  #beside: PlainPlayer | undefined;

  private constructor(
    soundServer: SoundServer,
    folder: string,
    gateway: BenchProcess<GatewayMessage>,
    words: readonly string[],
  ) {
    const { environment } = soundServer;
    this.#soundServer = soundServer;
    this.#folder = folder;
    this.gateway = gateway;
    this.#recorders = [
      recordFrom('speaker.monitor', outputRate, environment, (block, at) => {
        this.monitor.push(block, at);
      }),
      recordFrom('micsrc', inputRate, environment, (block, at) => {
        this.source.push(block, at);
      }),
    ];
    for (const { pid } of this.#recorders) raisePriority(pid);
    const microphone = playInto('mic', inputRate, 100, environment);
    raisePriority(microphone.pid);
    this.#voice = new Voice(microphone);
    this.talkProcess = new BenchProcess('measured-talk.ts', words, {
      ...environment,
      PARLEY_STATE_DIR: folder,
    });
    this.talkProcess.listen((message) => {
      if (message.kind === 'trouble') process.stderr.write(`${message.sentence}\n`);
    });
  }

  static async open({ mode = 'audio', dialect = 'auto', ...plan }: RigPlan): Promise<Rig> {
    const soundServer = new SoundServer();
    await soundServer.start();
    raisePriority(soundServer.pid);
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    const frames = join(folder, 'frames');
    if (mode === 'video') await makeFrames(frames);
    const gateway = new BenchProcess<GatewayMessage>('gateway.ts', [JSON.stringify(plan)]);
    const { url } = await gateway.until('ready');
    const rig = new Rig(soundServer, folder, gateway, [url, dialect, mode, frames]);
    await gateway.until('append', 30_000);
    // The first sound on a virtual card may be more than a second late.
    await wait(2000);
    return rig;
  }

  /** Speaks, and waits for the first output of the answer. */
  async ask(): Promise<SentOutput> {
    const output = this.gateway.until('output');
    this.#voice.speak();
    return output;
  }

  async askForWholeAnswer(): Promise<readonly SentOutput[]> {
    const answer: SentOutput[] = [];
    const stop = this.gateway.listen((message) => {
      if (message.kind === 'output') answer.push(message);
    });
    await this.ask();
    for (let heard = 0; heard !== answer.length;) {
      heard = answer.length;
      await this.listenStep();
    }
    stop();
    await this.quiet();
    return answer;
  }

  async listenStep(): Promise<void> {
    await this.gateway.until('listen', 40_000);
  }

  async quiet(): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      if (this.monitor.lastLoud(this.monitor.count - outputRate) === undefined) return;
      await wait(100);
    }
    throw new Error('The speaker did not become silent.');
  }

  async interrupt(): Promise<number> {
    const interrupted = this.talkProcess.until('interrupted');
    this.talkProcess.send('interrupt');
    const { at } = await interrupted;
    return at;
  }

  /** Records a continuous tone of another player, to measure the machine's own gaps. */
  async playBeside(): Promise<SoundTape> {
    this.#beside = await PlainPlayer.start(this.#soundServer);
    return this.#beside.recorded;
  }

  async stats(): Promise<TalkProcessStats> {
    const stats = this.talkProcess.until('stats');
    this.talkProcess.send('readStats');
    return stats;
  }

  async end(): Promise<void> {
    this.talkProcess.send('end');
    await this.talkProcess.end();
    await this.#voice.end();
    this.#beside?.end();
    for (const recorder of this.#recorders) recorder.end();
    this.gateway.leave();
    await this.gateway.end();
    await this.#soundServer.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The latency that pacat asks of the sound server, the same as Parley's. */
const latencyMs = 30;

/**
 * Plays a continuous tone with pacat on a separate virtual card. Its gaps are caused by the machine, and would occur with
 * any player.
 */
export class PlainPlayer {
  readonly recorded = new SoundTape(outputRate);
  readonly #ends: (() => void)[] = [];
  #over = false;

  static async start(server: SoundServer): Promise<PlainPlayer> {
    await server.plugIn('beside');
    const player = new PlainPlayer();
    const recorder = recordFrom('beside.monitor', outputRate, server.environment, (block, at) => {
      player.recorded.push(block, at);
    });
    const speaker = playInto('beside', outputRate, latencyMs, server.environment);
    for (const { pid, end } of [recorder, speaker]) {
      raisePriority(pid);
      player.#ends.push(end);
    }
    void player.#play(speaker.play);
    return player;
  }

  end(): void {
    this.#over = true;
    for (const end of this.#ends) end();
  }

  /** Writes as fast as the pipe accepts data, half a second ahead. */
  async #play(play: (samples: Float32Array) => Promise<void>): Promise<void> {
    const tone = new Tone(outputRate);
    while (!this.#over) await play(tone.next(outputRate / 10));
  }
}
