import type { Outcome } from '../ports/outcome.ts';
import type { SocketEnd } from '../ports/sockets.ts';

/** Writes down what happens on the wire. It never throws, and nothing waits for it. */
export interface TapeRecorder {
  readonly opened: (connection: number) => void;
  readonly sent: (connection: number, text: string) => void;
  /** A binary frame has no text. */
  readonly received: (connection: number, text: string | undefined) => void;
  readonly ended: (connection: number, end: SocketEnd) => void;
  /** Finishes the files, or takes them away where no connection ever opened; the first thing that went wrong with any of them. */
  readonly close: () => Promise<Outcome<undefined>>;
}
