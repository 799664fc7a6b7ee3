/** What is left of an echo is softer than it by so much at least, in power; who speaks over it is louder. */
const audibleShare = 0.02;
/** What is known to be left of it has been made softer already. */
const leftShare = 0.5;
/** An echo hides what is soft for a while after it: a quarter of a second for 5 dB. */
const ringing = 0.955;
/** Once somebody speaks, the soft ends of their words belong to them. */
const openBlocks = 30;
/** Else all is made softer by that. */
const closed = 0.05;
const closing = 0.6;
/** Nothing goes out that is louder than what came in, but for the edges of a block. */
const louder = 1.5;
const tiny = 1e-12;

/** Lets through what can be somebody's voice beside an echo, and not what is only left of it. */
export class EchoGate {
  #envelope = 0;
  #open = 0;
  #gain = 1;

  /**
   * A factor for a block, by the power of what would go on, of the expected echo, and of all that was captured; and
   * by how much of the echo is known to be left.
   */
  follow(kept: number, echo: number, captured: number, left: number): number {
    this.#envelope = Math.max(echo, ringing * this.#envelope);
    const heard = Math.min(kept, captured);
    if (heard > Math.max(audibleShare, left * leftShare) * this.#envelope) this.#open = openBlocks;
    else this.#open = Math.max(0, this.#open - 1);
    this.#gain = this.#open > 0 ? 1 : Math.max(closed, closing * this.#gain);
    const most = Math.sqrt((louder * captured + tiny) / (kept + tiny));
    return Math.min(this.#gain, most);
  }
}
