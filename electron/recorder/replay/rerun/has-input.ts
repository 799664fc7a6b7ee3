import { inputRate } from '../../../../shared/protocol/protocol-limits.ts';
import type { ServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { createReplayClient } from '../../recording/replay-client.ts';
import type { Tape, TapeLine } from '../../recording/tape.ts';
import { questionsOnTape } from './questions-on-tape.ts';

type Codec = Pick<ServerCodec, 'decodeClientEvent'>;

/** Whether a person said or asked anything on a tape. */
export function hasInput(tape: Tape, codec: Codec): boolean {
  return tape.header.mode === 'chat'
    ? questionsOnTape(tape, codec).length > 0
    : firstSoundOf(tape, codec) !== undefined;
}

/** When the first sound of a tape began to be captured; nothing where none was sent. */
export function firstSoundOf({ header, lines, frame }: Tape, codec: Codec): number | undefined {
  let length: number | undefined;
  const playOurs = createReplayClient(
    {
      pushAudio: (samples) => {
        length ??= samples.length;
      },
      pushFrame: nothing,
      setMaxSlices: nothing,
      interrupt: nothing,
      ask: nothing,
      end: nothing,
    },
    codec,
    header.chunkMs,
  );
  for (const line of lines) {
    if (!isOurs(line)) continue;
    playOurs(frame(line.frame));
    if (length !== undefined) return Math.max(0, line.at - (length * 1000) / inputRate);
  }
  return undefined;
}

export function isOurs(line: TapeLine): line is Extract<TapeLine, { readonly frame: unknown }> {
  return line.dir === 'out' && 'frame' in line;
}

const nothing = (): void => undefined;
