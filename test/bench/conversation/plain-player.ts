import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { SoundServer } from '../../contract/sound/sound-server.ts';
import { playInto, recordFrom } from '../sound/sound-processes.ts';
import { Tone } from '../sound/tone.ts';
import { SoundTape } from './sound-tape.ts';
import { raisePriority } from './priority.ts';

/** The same device latency as Parley's. */
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
