import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { SocketEnd, Sockets } from '../../../shared/ports/sockets.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import type { TalkSide } from './stereo-recorder.ts';

/** One line of a tape: wire traffic, or an event the wire does not show. */
export type TapeEntry =
  | { readonly dir: 'open'; readonly connection: number }
  /** `out` is from the client, `in` from the server. Binary frames have no text. */
  | { readonly dir: 'out' | 'in'; readonly connection: number; readonly text: string | undefined }
  | { readonly dir: 'end'; readonly connection: number; readonly end: SocketEnd }
  | { readonly dir: 'event'; readonly event: TapeEvent };

/** Records a talk. It never throws and never blocks the talk. */
export interface TapeRecorder {
  readonly record: (entry: TapeEntry) => void;
  /**
   * Counts the samples received for a turn. A tape that begins in mid-talk counts turns and samples from its own start. It
   * needs these counts to convert the turn and the position of `heard` events.
   */
  readonly countAnswer: (turn: number, samples: number) => void;
  /** Records sound just sent (16 kHz) or heard (24 kHz). The samples are copied before the call returns. */
  readonly addSound: (who: TalkSide, samples: Float32Array) => void;
  /** Finishes the files, or deletes them if no connection ever opened. Returns the first error of the tape. */
  readonly close: () => Promise<Outcome<undefined>>;
}

/** Numbers the entry's connection from the tape's start; `connections` is how many came before it. */
export function renumberEntry(entry: TapeEntry, connections: number): TapeEntry {
  return entry.dir === 'event' ? entry : { ...entry, connection: entry.connection - connections };
}

/** Ignores entries after `close`, because a session may still emit some. */
export function ignoreAfterClose(recorder: TapeRecorder): TapeRecorder {
  let closed: ReturnType<TapeRecorder['close']> | undefined;
  return {
    record: (entry) => {
      if (closed === undefined) recorder.record(entry);
    },
    countAnswer: (turn, samples) => {
      if (closed === undefined) recorder.countAnswer(turn, samples);
    },
    addSound: (who, samples) => {
      if (closed === undefined) recorder.addSound(who, samples);
    },
    close: () => {
      closed ??= recorder.close();
      return closed;
    },
  };
}

/** Wraps sockets and records all traffic before passing it on. */
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
