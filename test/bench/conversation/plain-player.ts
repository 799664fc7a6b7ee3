import { outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { SoundServer } from '../../contract/sound/sound-server.ts';
import { Tone } from '../sound/tone.ts';
import { listenAt, speakInto } from '../sound/wires.ts';
import { SoundTape } from './sound-tape.ts';
import { hurry } from './urgent.ts';

/** As much as Parley has in the device. */
const latencyMs = 30;

/**
 * A tone that pacat plays without a pause on a card of its own: the gaps that it has are those of the
 * machine, and would be anybody's.
 */
export class PlainPlayer {
  readonly heard = new SoundTape(outputRate);
  readonly #ends: (() => void)[] = [];
  #over = false;

  static async start(server: SoundServer): Promise<PlainPlayer> {
    await server.plugIn('beside');
    const player = new PlainPlayer();
    const wire = listenAt('beside.monitor', outputRate, server.environment, (block, at) => {
      player.heard.hear(block, at);
    });
    const mouth = speakInto('beside', outputRate, latencyMs, server.environment);
    for (const { pid, end } of [wire, mouth]) {
      hurry(pid);
      player.#ends.push(end);
    }
    void player.#play(mouth.speak);
    return player;
  }

  end(): void {
    this.#over = true;
    for (const end of this.#ends) end();
  }

  /** As fast as the pipe takes it, which is half a second ahead. */
  async #play(speak: (samples: Float32Array) => Promise<void>): Promise<void> {
    const tone = new Tone(outputRate);
    while (!this.#over) await speak(tone.next(outputRate / 10));
  }
}
