import type { TapeRecorder } from './tape-recorder.ts';

/** A session may say something after its tape was finished. */
export function untilClosed(recorder: TapeRecorder): TapeRecorder {
  let closed: ReturnType<TapeRecorder['close']> | undefined;
  return {
    opened: (connection) => {
      if (closed === undefined) recorder.opened(connection);
    },
    sent: (connection, text) => {
      if (closed === undefined) recorder.sent(connection, text);
    },
    received: (connection, text) => {
      if (closed === undefined) recorder.received(connection, text);
    },
    ended: (connection, end) => {
      if (closed === undefined) recorder.ended(connection, end);
    },
    happened: (event) => {
      if (closed === undefined) recorder.happened(event);
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
