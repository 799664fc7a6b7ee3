import type { JitterBuffer } from '../sound/playback/jitter-buffer.ts';
import type { ServerPaces } from './server-paces.ts';

/** Spoken answers of chat share one playback, which learns of one server at a time. */
export class ChatPace {
  readonly #paces: ServerPaces;
  readonly #playback: Pick<JitterBuffer, 'pace' | 'setPace'>;
  #current: { readonly address: string | undefined } | undefined;

  constructor(paces: ServerPaces, playback: Pick<JitterBuffer, 'pace' | 'setPace'>) {
    this.#paces = paces;
    this.#playback = playback;
  }

  /** The next answers come from there. What is returned is to be called when that session is over. */
  answersFrom(address: string | undefined): () => void {
    this.#keep();
    const mine = { address };
    this.#current = mine;
    this.#playback.setPace(this.#paces.of(address));
    return () => {
      // Of a session that another has followed it was kept then.
      if (this.#current === mine) this.#keep();
    };
  }

  #keep(): void {
    if (this.#current !== undefined) {
      this.#paces.learned(this.#current.address, this.#playback.pace());
    }
  }
}
