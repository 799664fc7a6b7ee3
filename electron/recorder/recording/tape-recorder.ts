import type { ErrorCode } from '../../../shared/errors/error-codes.ts';
import type { TapeEvent } from '../../../shared/replay/tape-event.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { SocketEnd } from '../../ports/sockets.ts';
import type { TalkSide } from './both-sides.ts';

/** Writes down what happens on the wire. It never throws, and nothing waits for it. */
export interface TapeRecorder {
  readonly opened: (connection: number) => void;
  readonly sent: (connection: number, text: string) => void;
  /** A binary frame has no text. */
  readonly received: (connection: number, text: string | undefined) => void;
  readonly ended: (connection: number, end: SocketEnd) => void;
  /** What the wire does not show. */
  readonly happened: (event: TapeEvent) => void;
  /** Something of a turn came, with so many samples: by it what was heard is counted where a tape has not all of a talk. */
  readonly answered: (turn: number, samples: number) => void;
  /** What has just been said to the server, 16 kHz, or heard of it, 24 kHz; taken over before the call returns. */
  readonly sounded: (who: TalkSide, samples: Float32Array) => void;
  /** Finishes the files, or takes them away where no connection ever opened; the first thing that went wrong with any of them. */
  readonly close: () => Promise<Outcome<undefined>>;
}

/** A recorder whose disk may be full, or whose folder may be taken away. */
export interface ResumableRecorder extends TapeRecorder {
  /** Whether its files are still where they were made. */
  readonly isThere: () => boolean;
  /** Goes on after something went wrong. */
  readonly resume: () => Promise<Outcome<undefined>>;
  /** Says on the tape that something is missing up to now. */
  readonly gap: (gap: TapeGap) => void;
}

export interface TapeGap {
  /** By the recorder's clock. */
  readonly since: number;
  readonly why: ErrorCode;
}
