/** One frame, as it went over a connection. */
interface HandshakeFrame {
  readonly dir: 'out' | 'in';
  readonly text: string;
}

interface OpenConnection {
  readonly connection: number;
  readonly frames: readonly HandshakeFrame[];
}

const maxFrames = 100;
const maxCharacters = 4_000_000;
/** An append of either dialect says its type first, as all that we send. */
const append = /^\{"type":"input\w*\.append"/u;

/**
 * How each connection that is open now began, up to the first sound that was sent on it: without that a tape which begins in
 * the middle of a talk could not be played.
 */
export class Handshakes {
  readonly #open = new Map<number, readonly HandshakeFrame[]>();
  readonly #settled = new Set<number>();

  opened(connection: number): void {
    this.#open.set(connection, []);
  }

  ended(connection: number): void {
    this.#open.delete(connection);
    this.#settled.delete(connection);
  }

  frame(connection: number, dir: 'out' | 'in', text: string): void {
    const frames = this.#open.get(connection);
    if (frames === undefined || this.#settled.has(connection)) return;
    const characters = frames.reduce((sum, frame) => sum + frame.text.length, text.length);
    const full = frames.length >= maxFrames || characters > maxCharacters;
    if (full || (dir === 'out' && append.test(text))) this.#settled.add(connection);
    else this.#open.set(connection, [...frames, { dir, text }]);
  }

  open(): readonly OpenConnection[] {
    return [...this.#open].map(([connection, frames]) => ({ connection, frames }));
  }
}
