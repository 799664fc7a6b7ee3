import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bufferBase64 } from '../../../electron/adapters/buffer-base64.ts';
import type { PlayoutFigures } from '../../../electron/audio/adaptive-playback.ts';
import { outputRate } from '../../../shared/protocol/limits.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { ServerEvent } from '../../../shared/protocol/server-event.ts';
import { instant } from '../../contract/sound/player.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { scriptedServer } from '../../fakes/scripted-server.ts';
import type { ScriptedServer } from '../../fakes/scripted-server.ts';
import { listenAt } from '../sound/wires.ts';
import type { Wire } from '../sound/wires.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { Told } from './subject.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const codec = createServerCodec(bufferBase64);
const frames = (event: ServerEvent): readonly string[] => codec.encodeEvent(event, 'legacy');

/**
 * A server whose every delta is sent by hand, a Parley in a process of its own that plays what
 * comes, and an ear at its speaker.
 */
export class Rig {
  readonly monitor = new SilenceWatch(outputRate);
  readonly #soundServer: SoundServer;
  readonly #server: ScriptedServer;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #wire: Wire;

  private constructor(soundServer: SoundServer, server: ScriptedServer, folder: string) {
    this.#soundServer = soundServer;
    this.#server = server;
    this.#folder = folder;
    const words = [here('subject.ts'), `ws://127.0.0.1:${server.port}`];
    this.#wire = listenAt('speaker.monitor', outputRate, soundServer.environment, (block, at) => {
      this.monitor.hear(block, at);
    });
    this.#child = fork(here('../../contract/sound/run-module.mjs'), words, {
      env: { ...process.env, ...soundServer.environment, PARLEY_STATE_DIR: folder },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  static async open(): Promise<Rig> {
    const soundServer = new SoundServer();
    await soundServer.start();
    const server = await scriptedServer({
      accepted: (socket) => {
        for (const frame of frames({ kind: 'admitted' })) socket.send(frame);
        socket.once('message', () => {
          for (const frame of frames({ kind: 'created' })) socket.send(frame);
        });
      },
    });
    const rig = new Rig(soundServer, server, mkdtempSync(join(tmpdir(), 'parley-bench-')));
    await rig.told('live');
    // The first sound on such a card can come more than a second late.
    await wait(2000);
    rig.delta(new Float32Array(outputRate / 2).fill(0.1), true);
    await wait(3000);
    return rig;
  }

  /** Sound of the answer; says when it went to the socket, in the time that the monitor goes by. */
  delta(audio: Float32Array, endOfTurn = false): number {
    const socket = this.#server.sockets.at(-1);
    const sending = frames({ kind: 'output', wire: 'legacy', text: '', audio, endOfTurn });
    const at = instant();
    for (const frame of sending) socket?.send(frame);
    return at;
  }

  async figures(): Promise<PlayoutFigures & { readonly underruns: number }> {
    const told = this.told('figures');
    this.#child.send('look');
    const answer = await told;
    if (answer.word !== 'figures') throw new Error('It told something else.');
    return { ...answer.figures, underruns: answer.underruns };
  }

  told(word: Told['word']): Promise<Told> {
    return new Promise((resolve, reject) => {
      const hear = (told: Told): void => {
        if (told.word !== word) return;
        this.#child.off('message', hear);
        resolve(told);
      };
      this.#child.on('message', hear);
      this.#child.once('exit', () => {
        reject(new Error(`It ended before it told "${word}".`));
      });
    });
  }

  async end(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.send('end');
    await Promise.race([gone, wait(5000)]);
    this.#child.kill('SIGKILL');
    this.#wire.end();
    await this.#server.end();
    await this.#soundServer.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
