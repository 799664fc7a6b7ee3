import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { SocketEnd, Sockets } from '../../../shared/ports/sockets.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import type { TalkSide } from './both-sides.ts';

/** What passed over a connection, or what the wire does not show. Each becomes a line of a tape. */
export type TapeEntry =
  | { readonly dir: 'open'; readonly connection: number }
  /** `out` is ours, `in` the server's; a binary frame has no text. */
  | { readonly dir: 'out' | 'in'; readonly connection: number; readonly text: string | undefined }
  | { readonly dir: 'end'; readonly connection: number; readonly end: SocketEnd }
  | { readonly dir: 'event'; readonly event: TapeEvent };

/** Writes down what happens in a talk. It never throws, and nothing waits for it. */
export interface TapeRecorder {
  readonly record: (entry: TapeEntry) => void;
  /** Something of a turn came, with so many samples: by it what was heard is counted where a tape has not all of a talk. */
  readonly answered: (turn: number, samples: number) => void;
  /** What has just been said to the server, 16 kHz, or heard of it, 24 kHz; taken over before the call returns. */
  readonly sounded: (who: TalkSide, samples: Float32Array) => void;
  /** Finishes the files, or takes them away where no connection ever opened; the first thing that went wrong with any of them. */
  readonly close: () => Promise<Outcome<undefined>>;
}

/** As a tape has it that counts its connections and its turns from 1, whatever came before it. */
export function renumbered(entry: TapeEntry, connections: number, turns = 0): TapeEntry {
  if (entry.dir !== 'event') return { ...entry, connection: entry.connection - connections };
  const { event } = entry;
  if (event.kind !== 'heard') return entry;
  return { dir: 'event', event: { ...event, turn: event.turn - turns } };
}

/** A session may say something after its tape was finished. */
export function untilClosed(recorder: TapeRecorder): TapeRecorder {
  let closed: ReturnType<TapeRecorder['close']> | undefined;
  return {
    record: (entry) => {
      if (closed === undefined) recorder.record(entry);
    },
    answered: (turn, samples) => {
      if (closed === undefined) recorder.answered(turn, samples);
    },
    sounded: (who, samples) => {
      if (closed === undefined) recorder.sounded(who, samples);
    },
    close: () => {
      closed ??= recorder.close();
      return closed;
    },
  };
}

/** The same sockets, with everything that passes through them recorded first. */
export function recordSockets(sockets: Sockets, recorder: TapeRecorder): Sockets {
  let connections = 0;
  return {
    connect: (mode, listener) => {
      connections += 1;
      const connection = connections;
      return sockets.connect(mode, {
        opened: () => {
          recorder.record({ dir: 'open', connection });
          listener.opened();
        },
        sending: (text) => {
          recorder.record({ dir: 'out', connection, text });
          listener.sending?.(text);
        },
        received: (text) => {
          recorder.record({ dir: 'in', connection, text });
          listener.received(text);
        },
        ended: (end) => {
          recorder.record({ dir: 'end', connection, end });
          listener.ended(end);
        },
      });
    },
  };
}
